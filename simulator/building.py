"""Compiles all kernels into one library: numba's typing and lowering, LLVM's optimisation, and the system's linker.

No fast maths, so that compiled and uncompiled kernels give the same bytes. The library needs nothing of numba's: the
kernels raise nothing and allocate nothing, so its runtime for that, which counts references to every array at every
call of a function, is left out. Once all of them stand in one module, of which nobody outside calls but the ways in,
LLVM optimises that again: a function is then handed the words that it uses, not all 180 of its tables.

Beside each kernel that Python calls stands a function of plain C: it takes an array of words of 8 bytes, in which the
arguments lie flat as numba passes them, and the words of the answer.
"""

from __future__ import annotations

import gc
import shutil
import subprocess
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import llvmlite.binding as llvm
import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.compiler_lock import global_compiler_lock
from numba.extending import intrinsic

from models.requests import Closed, Kind, RequestRun, Station, Visit
from models.work import Resources
from simulator.compiled import Kernel, layout, prefetch
from simulator.engine import Engine
from simulator.fluid.state import LINE
from simulator.library import KERNELS, LINKED, OBJECT, keep
from simulator.llvm import machine
from simulator.requests.batches import Choice, Cleared, Flow, Luck, Shares, Times, Words
from simulator.requests.program import assembled
from simulator.requests.start import loop_state

OPTIONS: dict[str, Any] = {"error_model": "numpy", "_nrt": False, "no_cfunc_wrapper": True, "no_cpython_wrapper": True}
typeof: Any = numba.typeof  # has no types
WORD, WORDS, STATUS = ir.IntType(64), ir.IntType(64).as_pointer(), ir.IntType(32)


def build(folder: Path) -> None:
    """Compile the kernels into a folder: linked where there is a linker, otherwise as an object for LLVM to load."""
    gc.disable()  # numba makes little garbage and much else, through which Python would look again and again
    with TemporaryDirectory() as place:
        made, linked = Path(place, "kernels.o"), Path(place, "kernels.so")
        made.write_bytes(_object())
        linker = shutil.which("cc")
        if linker and subprocess.run([linker, "-shared", "-o", linked, made, "-lm"], check=False).returncode == 0:
            keep(linked.read_bytes(), folder, LINKED)
        else:
            keep(made.read_bytes(), folder, OBJECT)


@global_compiler_lock  # type: ignore[untyped-decorator]
def _object() -> bytes:
    """Return the compiled kernels."""
    processor = machine()
    ways_in = ir.Module("kernels")
    kernels = {name: _compiled(kernel) for name, kernel in _marked().items()}
    for name, (kernel, text) in kernels.items():
        _add_way_in(ways_in, name, kernel)
        _add_text(ways_in, f"{name}_layout", text)
    whole = llvm.parse_assembly(str(ways_in))
    for kernel, _ in kernels.values():
        whole.link_in(llvm.parse_bitcode(kernel.library._final_module.as_bitcode()))
    kept = {*kernels, *(f"{name}_layout" for name in kernels)}
    for function in (*whole.functions, *whole.global_variables):
        if not function.is_declaration and function.name not in kept:
            function.linkage = "internal"
    builder = llvm.create_pass_builder(processor, llvm.create_pipeline_tuning_options())
    builder.getModulePassManager().run(whole, builder)
    data: bytes = processor.emit_object(whole)
    return data


def _marked() -> dict[str, Any]:
    """Let the kernels call each other compiled, and return those that Python calls, by name."""
    jitted: dict[Any, Any] = {prefetch: intrinsic(_prefetch)}
    modules = [import_module(f"simulator.{name}") for name in KERNELS]
    for module in modules:
        for name, value in list(vars(module).items()):
            if value is prefetch or isinstance(getattr(value, "options", None), dict):
                if value not in jitted:
                    function = value.function if isinstance(value, Kernel) else value
                    jitted[value] = numba.njit(**OPTIONS, **value.options)(function)
                setattr(module, name, jitted[value])
    return {kernel.function.__name__: made for kernel, made in jitted.items() if isinstance(kernel, Kernel)}


def _compiled(kernel: Any) -> tuple[Any, str]:
    """Return a kernel compiled for the tables that Python calls it with, and these in words."""
    kinds = {name: str(kind) for name, kind in kernel.py_func.__annotations__.items() if name != "return"}
    numbers, tables = {"int": types.int64, "float": types.float64}, _tables()
    kernel.compile(tuple(numbers.get(kind) or typeof(tables[kind]) for kind in kinds.values()))
    (result,) = kernel.overloads.values()
    return result, layout([array for kind in kinds.values() if kind in tables for array in tables[kind]])


def _tables() -> dict[str, Any]:
    """Return tables of each kind, as runs have them."""
    engine = Engine(Resources())
    run = RequestRun("example", (Kind("get", (Visit(Station("server")),)),), Closed(1), 1)
    loop = loop_state(run, assembled(run), 0)
    words = Words(np.zeros(1, np.int64), np.zeros(1, np.int64), np.zeros(1, np.uint8), np.zeros(1, np.int64))
    shares = Shares(loop.latency, np.zeros(1), np.zeros(1), np.zeros(1, np.int64), np.zeros(1))
    flow = Flow(loop.ended, loop.which, loop.moved, np.zeros(1))
    choice = Choice(loop.latency, loop.which, flow.parts, loop.ended)
    luck = Luck(loop.ended, loop.which, loop.moved, np.zeros(3), np.zeros(3), np.zeros((3, 3)))
    cleared = Cleared(loop.ended, loop.which, loop.moved, np.zeros(1), loop.ended)
    of_loads = (loop, Times(loop.latency), shares, flow, luck, cleared, choice, words)
    tables = (engine.activities.tables, engine.steps.tables.all, *of_loads)
    return {type(table).__name__: table for table in tables}


def _add_way_in(module: Any, name: str, kernel: Any) -> None:
    """Add the function of plain C through which Python calls a kernel."""
    kind = kernel.target_context.call_conv.get_function_type(kernel.fndesc.restype, kernel.fndesc.argtypes)
    function = ir.Function(module, kind, kernel.fndesc.llvm_func_name)
    way_in = ir.Function(module, ir.FunctionType(STATUS, [WORDS, WORDS]), name)
    code = ir.IRBuilder(way_in.append_basic_block())
    words, told = way_in.args
    answer = code.alloca(kind.args[0].pointee)
    given = [code.load(code.gep(words, [WORD(at)])) for at in range(len(kind.args) - 2)]
    flat = [_as(code, word, wanted) for word, wanted in zip(given, kind.args[2:], strict=True)]
    status = code.call(function, [answer, code.alloca(kind.args[1].pointee), *flat])
    for at, value in enumerate(_parts(code, code.load(answer))):
        code.store(_word(code, value), code.gep(told, [WORD(at)]))
    code.ret(status)


def _as(code: Any, word: Any, kind: Any) -> Any:
    """Return a word as a number or an address."""
    return code.inttoptr(word, kind) if isinstance(kind, ir.PointerType) else code.bitcast(word, kind)


def _parts(code: Any, answer: Any) -> list[Any]:
    """Return the numbers of an answer; none of that of a function that returns nothing."""
    if isinstance(answer.type, ir.PointerType):
        return []
    if isinstance(answer.type, ir.LiteralStructType):
        return [code.extract_value(answer, at) for at in range(len(answer.type))]
    return [answer]


def _word(code: Any, value: Any) -> Any:
    """Return a number as a word."""
    if isinstance(value.type, ir.DoubleType):
        return code.bitcast(value, WORD)
    if value.type.width == WORD.width:
        return value
    is_truth = value.type.width <= 8
    return code.zext(value, WORD) if is_truth else code.sext(value, WORD)


def _add_text(module: Any, name: str, text: str) -> None:
    data = bytearray(text.encode() + b"\0")
    constant = ir.GlobalVariable(module, ir.ArrayType(ir.IntType(8), len(data)), name)
    constant.initializer = ir.Constant(constant.type.pointee, data)


def _prefetch(_: Any, table: Any, at: Any) -> Any:
    """Return the signature of `prefetch` and what writes its code: LLVM's own instruction, which cannot fail.

    It is one for each cache line of a record, and one for a row of numbers.
    """

    def write(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        array = context.make_array(table)(context, builder, values[0])
        stride = builder.extract_value(array.strides, 0)
        start = builder.mul(context.cast(builder, values[1], at, types.intp), stride)
        address, flag = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [address, flag, flag, flag])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")  # type: ignore[no-untyped-call]
        to_read, all_caches, data = flag(0), flag(3), flag(1)
        row = builder.gep(builder.bitcast(array.data, address), [start])
        for line in range(0, context.get_abi_sizeof(context.get_data_type(table.dtype)), LINE):
            builder.call(function, [builder.gep(row, [flag(line)]), to_read, all_caches, data])
        return context.get_dummy_value()

    return types.void(table, at), write
