"""A stand-in for numpy: arrays as far as environments give them."""

import struct


class generic:
    pass


class floating(generic):
    pass


class integer(generic):
    pass


class dtype:
    def __init__(self, name):
        self.name = name

    def __eq__(self, other):
        return isinstance(other, dtype) and other.name == self.name

    def __hash__(self):
        return hash(self.name)

    def __repr__(self):
        return self.name


float64, float32, int64, int8, uint8, bool_ = (dtype(name) for name in ("float64", "float32", "int64", "int8", "uint8", "bool"))
_OF = {"float64": float, "float32": lambda x: struct.unpack("f", struct.pack("f", x))[0], "int64": int, "int8": int, "uint8": int, "bool": bool}


def _shape(values):
    if isinstance(values, ndarray):
        return values.shape
    if isinstance(values, (list, tuple)):
        return (len(values),) + (_shape(values[0]) if values else ())
    return ()


class ndarray:
    """Numbers in rows of the same length; a row of a table is an array that shares it."""

    def __init__(self, rows, shape, kind):
        self.rows, self.shape, self.dtype, self.ndim = rows, shape, kind, len(shape)

    def __len__(self):
        return self.shape[0]

    def __getitem__(self, i):
        if isinstance(i, slice):
            rows = self.rows[i]
            return ndarray(rows, (len(rows),) + self.shape[1:], self.dtype)
        return self.rows[i]

    def __setitem__(self, i, value):
        self.rows[i] = value

    def __iter__(self):
        return iter(self.rows)

    def tolist(self):
        return [row.tolist() if isinstance(row, ndarray) else row for row in self.rows]

    def __repr__(self):
        return f"array({self.tolist()}, dtype={self.dtype})"

    def all(self):
        return all(row.all() if isinstance(row, ndarray) else row for row in self.rows)

    def any(self):
        return any(row.any() if isinstance(row, ndarray) else row for row in self.rows)


def array(values, dtype=None):
    def made(values):
        if isinstance(values, (list, tuple, ndarray)):
            rows = [made(value) for value in values]
            shapes = {_shape(row) for row in rows}
            if len(shapes) > 1:
                raise ValueError("rows of different lengths")
            return ndarray(rows, (len(rows),) + (shapes.pop() if shapes else ()), dtype)
        return values if dtype is object else _OF[dtype.name](values)

    return made(values)


def full(n, value, dtype=None):
    return ndarray([value] * n, (n,), dtype)


def array_equal(a, b):
    return a.shape == b.shape and a.tolist() == b.tolist()
