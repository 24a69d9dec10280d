"""What both packaged programs do before all else: a runtime hook of PyInstaller, whose boot loader has the imported."""

import os
import sys
from types import ModuleType

import pyimod01_archive
import pyimod02_importers

# Both programs take their modules from one archive, where PyInstaller would put a copy into each executable.
MODULES = os.path.join(sys._MEIPASS, "modules.pyz")  # type: ignore[attr-defined]
pyimod02_importers.pyz_archive = pyimod01_archive.ZlibArchiveReader(MODULES, check_pymagic=True)
sys.path_importer_cache.clear()  # of finders that look into the empty archive of the executable

# Charts derive a class from it when they are imported, and draw by OpenGL where asked to, which the window never does.
WIDGETS = ModuleType("PySide6.QtOpenGLWidgets")
WIDGETS.QOpenGLWidget = type("QOpenGLWidget", (), {})  # type: ignore[attr-defined]
sys.modules |= {"PySide6.QtOpenGL": ModuleType("PySide6.QtOpenGL"), WIDGETS.__name__: WIDGETS}
