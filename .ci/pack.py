"""Packs a release: python3 .ci/pack.py FOLDER VERSION

Each folder batchlab-VERSION-OS-ARCH becomes an archive (.zip for Windows, else .tar.gz)
and a wheel with the program in it; SHA256SUMS lists all. Times, owners and orders are
fixed, so that the same files give the same bytes."""

import gzip
import hashlib
import io
import os
import shutil
import sys
import tarfile
import zipfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "clients", "python"))
import build_wheel  # noqa: E402

# What pip calls the platforms. The programs are static: they need no C library.
PLATFORMS = {
    "linux-amd64": "manylinux2014_x86_64.musllinux_1_1_x86_64",
    "linux-arm64": "manylinux2014_aarch64.musllinux_1_1_aarch64",
    "darwin-amd64": "macosx_12_0_x86_64",
    "darwin-arm64": "macosx_12_0_arm64",
    "windows-amd64": "win_amd64",
    "windows-arm64": "win_arm64",
}


def mode(name):
    return 0o755 if name in ("batchlab", "batchlab.exe") else 0o644


def tar(folder, name):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as pack:
        for file in sorted(os.listdir(folder)):
            with open(os.path.join(folder, file), "rb") as source:
                data = source.read()
            entry = tarfile.TarInfo(f"{name}/{file}")
            entry.size, entry.mode, entry.mtime = len(data), mode(file), 1577836800  # 2020
            pack.addfile(entry, io.BytesIO(data))
    with open(folder + ".tar.gz", "wb") as file, gzip.GzipFile("", "wb", 9, file, 0) as packed:
        packed.write(out.getvalue())


def pack_zip(folder, name):
    with zipfile.ZipFile(folder + ".zip", "w") as pack:
        for file in sorted(os.listdir(folder)):
            with open(os.path.join(folder, file), "rb") as source:
                data = source.read()
            entry = zipfile.ZipInfo(f"{name}/{file}", (2020, 1, 1, 0, 0, 0))
            entry.create_system, entry.compress_type, entry.external_attr = 3, zipfile.ZIP_DEFLATED, (0o100000 | mode(file)) << 16
            pack.writestr(entry, data)


def main(out, version):
    for platform, tag in PLATFORMS.items():
        name = f"batchlab-{version}-{platform}"
        folder = os.path.join(out, name)
        windows = platform.startswith("windows")
        (pack_zip if windows else tar)(folder, name)
        build_wheel.pack(out, f"py3-none-{tag}", os.path.join(folder, "batchlab.exe" if windows else "batchlab"))
        shutil.rmtree(folder)
    build_wheel.pack(out)
    with open(os.path.join(out, "SHA256SUMS"), "w", newline="\n") as sums:
        for file in sorted(os.listdir(out)):
            if file != "SHA256SUMS":
                with open(os.path.join(out, file), "rb") as source:
                    sums.write(f"{hashlib.sha256(source.read()).hexdigest()}  {file}\n")


main(*sys.argv[1:])
