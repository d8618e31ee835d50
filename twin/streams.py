"""Named streams of random numbers: rule 12 of docs/simulation-rules.md."""

import hashlib

WORD = 2**64 - 1


class Stream:
    """PCG of 128 bits with the output function DXSM, as in Go's math/rand/v2."""

    def __init__(self, seed, name, repetition=0):
        h = hashlib.sha256(seed.to_bytes(8, "little") + repetition.to_bytes(8, "little") + name.encode()).digest()
        self.state = int.from_bytes(h[:8], "little") << 64 | int.from_bytes(h[8:16], "little")

    def word(self):
        self.state = (self.state * (2549297995355413924 << 64 | 4865540595714422341) + (6364136223846793005 << 64 | 1442695040888963407)) % 2**128
        hi, lo = self.state >> 64, self.state & WORD
        hi ^= hi >> 32
        hi = hi * 0xda942042e4dd58b5 & WORD
        hi ^= hi >> 48
        return hi * (lo | 1) & WORD

    def below(self, n):
        """A whole number from 0 to n - 1, each as likely."""
        if n & (n - 1) == 0:
            return self.word() & (n - 1)
        while True:
            product = self.word() * n
            if product & WORD >= 2**64 % n:
                return product >> 64

    def shuffled(self, items):
        items = list(items)
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]
        return items

    def fraction(self):
        """A number from 0 to below 1."""
        return (self.word() & (2**53 - 1)) / 2**53
