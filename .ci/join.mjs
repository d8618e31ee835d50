// Joins the data segments of wasm programs: node .ci/join.mjs FILE...
//
// Go's linker starts a new segment wherever eight zero bytes follow each other,
// up to 100,000 of them. That makes the file shorter as it stands, but the many
// heads, each with an address of its own, hardly compress, while zeros do: with
// them written out, the page's program is 5 % smaller in transit, and a browser
// has a hundred segments to lay out. What ends up in memory is the same.
import { readFileSync, writeFileSync } from "node:fs";

const dataSection = 11, gap = 64; // gaps of at most so many bytes are filled

function join(file) {
  const d = readFileSync(file);
  let p = 0;
  const expect = (byte, what) => {
    if (d[p++] !== byte) throw new Error(`${file}: byte ${p - 1} is not ${what}`);
  };
  // LEB128; addresses are signed and read as 32 bits.
  const number = () => {
    for (let value = 0, shift = 0; ; shift += 7) {
      const byte = d[p++];
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  };
  const address = () => {
    for (let value = 0, shift = 0; ;) {
      const byte = d[p++];
      value |= (byte & 127) << shift;
      shift += 7;
      if (byte < 128) return shift < 32 && byte & 64 ? value | (-1 << shift) : value;
    }
  };
  [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0].forEach((byte) => expect(byte, "the head of a wasm program"));
  const out = [d.subarray(0, p)];
  let was, is;
  while (p < d.length) {
    const at = p, id = d[p++], size = number(), end = p + size;
    if (id !== dataSection) {
      p = end;
      out.push(d.subarray(at, end));
      continue;
    }
    const joined = [];
    was = number();
    for (let i = 0; i < was; i++) {
      expect(0, "the kind of a segment at an address");
      expect(0x41, "i32.const");
      const from = address();
      expect(0x0b, "end");
      const length = number(), bytes = d.subarray(p, p += length), last = joined.at(-1);
      if (last && from >= last.to && from - last.to <= gap) {
        last.parts.push(Buffer.alloc(from - last.to), bytes);
        last.to = from + length;
      } else joined.push({ from, to: from + length, parts: [bytes] });
    }
    if (p !== end) throw new Error(`${file}: the data section ends at ${p}, not ${end}`);
    is = joined.length;
    const body = [unsigned(is)];
    for (const s of joined) {
      body.push(Buffer.from([0, 0x41]), signed(s.from), Buffer.from([0x0b]), unsigned(s.to - s.from), Buffer.concat(s.parts));
    }
    const section = Buffer.concat(body);
    out.push(Buffer.from([dataSection]), unsigned(section.length), section);
  }
  writeFileSync(file, Buffer.concat(out));
  return `${file}: ${was} data segments made ${is}`;
}

function unsigned(value) {
  const bytes = [];
  for (; value > 127; value >>>= 7) bytes.push((value & 127) | 128);
  return Buffer.from([...bytes, value]);
}

function signed(value) {
  const bytes = [];
  for (; value < -64 || value > 63; value >>= 7) bytes.push((value & 127) | 128);
  return Buffer.from([...bytes, value & 127]);
}

for (const file of process.argv.slice(2)) console.log(join(file));
