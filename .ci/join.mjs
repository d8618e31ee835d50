// Makes wasm programs smaller in transit: node .ci/join.mjs [--lines] FILE...
//
// Go's linker starts a new data segment wherever eight zero bytes follow each
// other, up to 100,000 of them. That makes the file shorter as it stands, but the
// many heads, each with an address of its own, hardly compress, while zeros do:
// with them written out, the page's program is 5 % smaller in transit, and a
// browser has a few segments to lay out. What ends up in memory is the same.
//
// The tables from which Go tells a file, a line number and a call's arguments go as
// well, those for threads that are interrupted, which a browser has not, and the
// names of functions that are not Batchlab's own: another 9 %. A trace of a fault then
// names its own functions alone. With --lines they stay.
import { readFileSync, writeFileSync } from "node:fs";

const dataSection = 11, gap = 4096; // zeros: more than so many are left out

function join(file, lines) {
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
    const segments = [];
    was = number();
    for (let i = 0; i < was; i++) {
      expect(0, "the kind of a segment at an address");
      expect(0x41, "i32.const");
      const from = address();
      expect(0x0b, "end");
      const length = number();
      segments.push({ from, bytes: d.subarray(p, p += length) });
    }
    if (p !== end) throw new Error(`${file}: the data section ends at ${p}, not ${end}`);
    const memory = Buffer.alloc(Math.max(...segments.map((s) => s.from + s.bytes.length)));
    for (const s of segments) s.bytes.copy(memory, s.from);
    if (!lines) forgetLines(memory, file);
    const body = [];
    is = 0;
    for (const [from, to] of filled(memory)) {
      body.push(Buffer.from([0, 0x41]), signed(from), Buffer.from([0x0b]), unsigned(to - from), memory.subarray(from, to));
      is++;
    }
    const section = Buffer.concat([unsigned(is), ...body]);
    out.push(Buffer.from([dataSection]), unsigned(section.length), section);
  }
  writeFileSync(file, Buffer.concat(out));
  return `${file}: ${was} data segments made ${is}`;
}

// filled yields the stretches of memory between long runs of zeros.
function* filled(memory) {
  let from = -1, last = -1;
  for (let i = 0; i < memory.length; i++) {
    if (memory[i] === 0) continue;
    if (from >= 0 && i - last > gap) {
      yield [from, last + 1];
      from = -1;
    }
    if (from < 0) from = i;
    last = i;
  }
  if (from >= 0) yield [from, last + 1];
}

// forgetLines clears, for every function, where its tables of files, lines and
// arguments are, and the tables that nothing else uses: in runtime/symtab.go, an
// offset of 0, of data on functions one of all ones, is a table that is not there.
// The layout is that of pcHeader, moduledata and _func there, the numbers of tables
// those of internal/abi/symtab.go.
function forgetLines(memory, file) {
  const u32 = (at) => memory.readUInt32LE(at);
  const unsafePoint = 0, argLiveIndex = 3; // of what depends on the place in a function
  const argInfo = 5, argLiveInfo = 6; // of what holds for all of it
  const none = 0xffffffff, endOfArguments = 0xff;
  const header = memory.indexOf(Buffer.from([0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8]));
  if (header < 0) throw new Error(`${file}: no table of functions as Go 1.26 writes it`);
  const word = (i) => Number(memory.readBigUInt64LE(header + 8 * i));
  const functions = word(1), pctab = header + word(7), table = header + word(8);
  const used = new Set(), lists = new Set(), kept = new Set();
  for (let i = 0; i < functions; i++) {
    const f = table + u32(table + 8 * i + 4), values = u32(f + 28), data = f + 44 + 4 * values;
    if (u32(f) !== u32(table + 8 * i) || values > 16) throw new Error(`${file}: function ${i} is not as Go 1.26 writes it`);
    for (const at of [20, 24, 32, 36]) memory.writeUInt32LE(0, f + at); // pcfile, pcln, cuOffset, startLine
    for (const k of [unsafePoint, argLiveIndex]) if (k < values) memory.writeUInt32LE(0, f + 44 + 4 * k);
    used.add(u32(f + 16)); // pcsp
    for (let k = 0; k < values; k++) used.add(u32(f + 44 + 4 * k));
    for (let k = 0; k < memory[f + 43]; k++) {
      const offset = u32(data + 4 * k);
      if (k === argInfo) lists.add(offset);
      if (k === argInfo || k === argLiveInfo) memory.writeUInt32LE(none, data + 4 * k);
      else kept.add(offset);
    }
  }
  memory.fill(0, header + word(5), pctab); // which files are whose, and their names
  const names = header + word(4), nobody = []; // where names begin that go
  for (let at = names; at < header + word(5);) {
    const end = memory.indexOf(0, at);
    if (!/^(batchlab\/|main\.)/.test(memory.toString("latin1", at, end))) {
      memory.fill(0, at, end);
      nobody[at - names] = true;
    }
    at = end + 1;
  }
  const nameless = nobody.indexOf(true);
  for (let i = 0; i < functions; i++) {
    const f = table + u32(table + 8 * i + 4);
    if (nobody[u32(f + 4)]) memory.writeUInt32LE(nameless, f + 4);
  }
  // A list of arguments runs up to its mark of an end.
  const gofunc = functionData(memory, header, file);
  for (const offset of lists) {
    if (offset === none || kept.has(offset)) continue;
    const from = gofunc + offset;
    memory.fill(0, from, memory.indexOf(endOfArguments, from) + 1);
  }
  // A table is pairs of numbers, of a value and of a distance, up to a value 0
  // that is not the first.
  const keep = Buffer.alloc(table - pctab);
  for (const start of used) {
    if (start === 0) continue;
    let p = pctab + start;
    const skip = () => { while (memory[p++] > 127); };
    for (let first = true; first || memory[p] !== 0; first = false) { skip(); skip(); }
    keep.fill(1, start, p + 1 - pctab);
  }
  for (let i = 0; i < keep.length; i++) if (!keep[i]) memory[pctab + i] = 0;
}

// functionData is where the data on functions lie: the word gofunc of moduledata,
// which begins with the addresses of the header and of its names; the first alone may
// stand elsewhere, too, by chance.
function functionData(memory, header, file) {
  const begins = Buffer.alloc(16);
  begins.writeBigUInt64LE(BigInt(header));
  begins.writeBigUInt64LE(BigInt(header) + memory.readBigUInt64LE(header + 8 * 4), 8);
  const module = memory.indexOf(begins), word = (i) => Number(memory.readBigUInt64LE(module + 8 * i));
  if (module < 0) throw new Error(`${file}: no table of the program as Go 1.26 writes it`);
  return word(40);
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

const files = process.argv.slice(2), lines = files[0] === "--lines";
for (const file of lines ? files.slice(1) : files) console.log(join(file, lines));
