"""LLVM for this kind of machine: what code is made for, and how it is loaded where no linker was at hand."""

from __future__ import annotations

from typing import Any

import llvmlite.binding as llvm


def machine() -> Any:
    """Return any processor of the kind of this machine, on which code may lie anywhere."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_triple(llvm.get_process_triple())
    return target.create_target_machine(opt=3, reloc="pic", codemodel="default")


def engine_of(data: bytes) -> Any:
    """Return what has been loaded of an object; keep it for as long as its code may run."""
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine())
    engine.add_object_file(llvm.ObjectFileRef.from_data(data))
    engine.finalize_object()
    return engine
