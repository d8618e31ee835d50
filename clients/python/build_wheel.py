"""Packs the folder batchlab as a wheel (PEP 427, 517): plain files, nothing compiled."""

import base64
import hashlib
import os
import re
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
TAG = "py3-none-any"


def _project():
    """Name, version and so on, of pyproject.toml: lines of the form key = "text"."""
    with open(os.path.join(HERE, "pyproject.toml"), encoding="utf-8") as file:
        return dict(re.findall(r'^([a-z-]+) = "(.*)"$', file.read().split("[project]")[1], re.MULTILINE))


def _metadata(project):
    with open(os.path.join(HERE, project["readme"]), encoding="utf-8") as file:
        readme = file.read()
    return (
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\nSummary: {project['description']}\n"
        f"Requires-Python: {project['requires-python']}\nDescription-Content-Type: text/markdown\n\n{readme}"
    )


def _line(name, data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}\n"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    return pack(wheel_directory)


def pack(wheel_directory, tag=TAG, program=None):
    """Writes a wheel: the same bytes for the same files. With program, the path of a
    batchlab for the platform of tag, pip puts that beside python as the command batchlab."""
    project = _project()
    name = f"{project['name']}-{project['version']}"
    info = f"{name}.dist-info"
    files = {}
    folder = os.path.join(HERE, project["name"])
    for file in sorted(os.listdir(folder)):
        if file.endswith(".py"):
            with open(os.path.join(folder, file), "rb") as source:
                files[f"{project['name']}/{file}"] = source.read()
    if program:
        with open(program, "rb") as source:
            files[f"{name}.data/scripts/{os.path.basename(program)}"] = source.read()
    # A name may have several platforms, joined by dots; WHEEL has a line for each.
    python, abi, platforms = tag.split("-")
    tags = "".join(f"Tag: {python}-{abi}-{platform}\n" for platform in platforms.split("."))
    files[f"{info}/METADATA"] = _metadata(project).encode()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: batchlab\nRoot-Is-Purelib: {str(program is None).lower()}\n{tags}".encode()
    record = "".join(_line(name, data) for name, data in files.items()) + f"{info}/RECORD,,\n"
    files[f"{info}/RECORD"] = record.encode()
    wheel = f"{name}-{tag}.whl"
    with zipfile.ZipFile(os.path.join(wheel_directory, wheel), "w", zipfile.ZIP_DEFLATED) as zipped:
        for file, data in files.items():
            entry = zipfile.ZipInfo(file, (2020, 1, 1, 0, 0, 0))
            entry.create_system, entry.compress_type = 3, zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if "/scripts/" in file else 0o100644) << 16
            zipped.writestr(entry, data)
    return wheel


def build_sdist(sdist_directory, config_settings=None):
    raise NotImplementedError("this folder is the source distribution")
