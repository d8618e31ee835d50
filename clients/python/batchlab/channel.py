"""Lines of JSON to and from the engine: version 1 of docs/exec-protocol.md."""

import json
import os
import sys

PROTOCOL = 1


class Refused(Exception):
    """The engine refused what the scheduler decided, or could not go on."""


class Channel:
    """A line in each direction."""

    def __init__(self, lines, write):
        self._lines = lines  # an iterator of bytes
        self._write = write
        self._decode = json.JSONDecoder().decode

    def _message(self):
        line = self._lines()
        return self._decode(line.decode()) if line else None

    def receive(self):
        """The next message; None when the engine has gone."""
        message = self._message()
        if message is None:
            return None
        if "error" in message:
            raise Refused(message["error"])
        return message

    def send(self, text):
        """Writes a message, given as text without a line feed."""
        self._write((text + "\n").encode())

    def ask(self, text):
        """Sends a question and returns the answer."""
        self.send(text)
        answer = self.receive()
        if answer is None:
            raise Refused("the engine has gone")
        return answer


def standard():
    """The channel of a program that the engine has started.

    What the program prints goes to its standard error from now on, so that it
    cannot come between the lines.
    """
    out = os.dup(1)
    os.dup2(2, 1)
    sys.stdout = sys.stderr

    def write(data):
        while data:
            data = data[os.write(out, data):]

    return Channel(sys.stdin.buffer.readline, write)
