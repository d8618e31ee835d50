"""Running experiments: the command line of Batchlab from Python."""

import collections
import csv
import json
import os
import shutil
import subprocess
import sysconfig
import tempfile

from .channel import Channel, Refused
from .scheduler import serve


def program(given=None):
    """Where batchlab is: given, else in the environment's BATCHLAB, else beside this Python,
    where a wheel of a release puts it, else on the PATH."""
    found = given or os.environ.get("BATCHLAB") or shutil.which("batchlab", path=sysconfig.get_path("scripts")) or shutil.which("batchlab")
    if not found:
        raise FileNotFoundError("batchlab was not found: put it on the PATH, or its place in the environment variable BATCHLAB")
    return os.fspath(found)


class Process:
    """A batchlab that speaks with this process in lines."""

    def __init__(self, words, quiet=True):
        self._process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL if quiet else None, bufsize=0)
        self._lines = open(self._process.stdout.fileno(), "rb", buffering=1 << 16, closefd=False)

    def _write(self, data):
        try:
            while data:
                data = data[self._process.stdin.write(data):]
        except BrokenPipeError:
            pass  # what the engine had to say can be read

    def close(self):
        """Ends the engine, whatever it does."""
        if self._process is None:
            return
        process, self._process = self._process, None
        try:
            process.stdin.close()
        except OSError:
            pass
        process.kill()
        self._lines.close()
        process.stdout.close()
        process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        if getattr(self, "_process", None) is not None:
            self.close()


def _checked(message):
    """A message of a run. What the run could not do raises Refused."""
    if message is None:
        raise Refused("the engine has gone")
    if "failed" in message:
        raise Refused(message["failed"].strip())
    return message


def _written(document, logs):
    """A folder with a document, and the words behind batchlab run."""
    folder = tempfile.mkdtemp(prefix="batchlab-")
    path = os.path.join(folder, "experiment.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(document, file)
    words = [path]
    for log in logs:
        words += ["--log", os.fspath(log)]
    return folder, words


class Engine(Process):
    """A run of batchlab that speaks the protocol with this process. Use with `with`."""

    def __init__(self, document, logs=(), out=None, batchlab=None, quiet=True):
        self._folder, words = _written(document, logs)
        if out:
            words += ["--out", os.fspath(out), "--jobs"]
        super().__init__([program(batchlab), "run", *words, "--command", "-"], quiet)
        self.channel = Channel(self._lines.readline, self._write)

    def receive(self):
        """The next message. What the run could not do raises Refused."""
        return _checked(self.channel.receive())

    def close(self):
        """Ends the engine, whatever it does."""
        super().close()
        shutil.rmtree(self._folder, ignore_errors=True)


class Engines(Process):
    """One batchlab for many runs at once. What is said in them waits until an
    answer is needed, and goes there in one line for all; so do the answers."""

    def __init__(self, batchlab=None, quiet=True):
        super().__init__([program(batchlab), "episodes"], quiet)
        self.pid = self._process.pid
        self._runs, self._told, self._decode = {}, {}, json.JSONDecoder().decode
        self._names = 0  # runs so far

    def run(self, document, logs=(), batchlab=None):
        """Begins a run, with what an Engine has."""
        self._names += 1
        return _Run(self, str(self._names), document, logs)

    def exchange(self):
        """Tells what waits, and hears the answers; whether there were any."""
        if not self._told or self._process is None:
            return False
        told, self._told = self._told, {}
        self._write(("{" + ",".join([f'"{name}":{text}' for name, text in told.items()]) + "}\n").encode())
        line = self._lines.readline()
        for name, messages in self._decode(line.decode()).items() if line else ():
            if name in self._runs:
                self._runs[name].heard.extend(messages)
        return bool(line)


class _Run(Channel):
    """One run of many, as an Engine and as its channel."""

    def __init__(self, engines, name, document, logs):
        self._engines, self._name, self.channel, self.heard = engines, name, self, collections.deque()
        self._folder, words = _written(document, logs)
        engines._runs[name] = self
        self.send(json.dumps({"run": words}))

    def send(self, text):
        self._engines._told[self._name] = text

    def _message(self):
        if not self.heard and self._name in self._engines._told:
            self._engines.exchange()
        return self.heard.popleft() if self.heard else None

    def receive(self):
        return _checked(super().receive())

    def close(self):
        """Gives the run up, if it is not over."""
        if self._engines._runs.pop(self._name, None) is not None:
            self._engines._told[self._name] = "null"
            shutil.rmtree(self._folder, ignore_errors=True)


class Result:
    """What an experiment gives.

    raw         the object that batchlab run prints
    digest      of all runs
    runs        one dict for each run: label, key, repetition, and every measure by its key
    comparison  as batchlab run prints it
    jobs        by (label, repetition): a list of dicts, the rows of the jobs file; empty unless jobs=True
    """

    def __init__(self, raw, jobs):
        self.raw, self.jobs = raw, jobs
        self.digest = raw["digest"]
        runs = raw.get("runs") or [run for point in raw.get("points", ()) for run in point["runs"]]
        self.comparison = raw.get("comparison")
        self.runs = [dict({"label": run["label"], "key": run["key"], "repetition": run["repetition"]}, **run["metrics"]) for run in runs]

    def measure(self, key):
        """One measure by label; with repetitions, their mean."""
        sums = {}
        for run in self.runs:
            if key in run:
                sums.setdefault(run["label"], []).append(run[key])
        return {label: sum(values) / len(values) for label, values in sums.items()}


def run(document, scheduler=None, logs=(), jobs=False, batchlab=None):
    """Runs an experiment document, a dict or the path of a file, and returns a Result.

    Schedulers with the key exec and no command of their own are decided here, by
    scheduler: a Scheduler, or a dict of them by label. Other programs of a document
    are refused.
    """
    if not isinstance(document, dict):
        with open(document, encoding="utf-8") as file:
            document = json.load(file)
    out = tempfile.mkdtemp(prefix="batchlab-") if jobs else None
    try:
        with Engine(document, logs, out, batchlab) as engine:
            while True:
                message = engine.receive()
                if "result" in message:
                    return Result(message["result"], _tables(out, message["result"]) if jobs else {})
                label = message["hello"]["label"]
                mine = scheduler.get(label) if isinstance(scheduler, dict) else scheduler
                if mine is None:
                    raise Refused(f"there is no scheduler for {label!r}: run(document, scheduler=…)")
                try:
                    serve(engine.channel, message, mine)
                except Refused as fault:
                    raise Refused(str(fault)) from None
    finally:
        if out:
            shutil.rmtree(out, ignore_errors=True)


def _tables(folder, result):
    """The jobs files of a run, in order of runs."""
    tables = {}
    names = sorted(name for name in os.listdir(folder) if name.startswith("jobs-"))
    for run in result.get("runs", ()):
        for name in names:
            if name.endswith(f"-{run['key']}-{run['repetition']}.csv") and int(name.split("-")[1]) == run["scheduler"] + 1:
                with open(os.path.join(folder, name), newline="", encoding="utf-8") as file:
                    tables[run["label"], run["repetition"]] = list(csv.DictReader(file))
    return tables
