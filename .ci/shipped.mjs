// What is shipped besides our own code, from the graphs of modules and packages:
// node .ci/shipped.mjs licences METAFILE... > licences.txt
// node .ci/shipped.mjs bom VERSION METAFILE... > bom.cdx.json (CycloneDX 1.5)
// METAFILEs are esbuild's, one a bundle. A part without a licence is an error: it
// may not be shipped.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

// Go's programs: what each is compiled for decides what is in it.
const programs = [
  ...["linux", "darwin", "windows"].flatMap((os) => ["amd64", "arm64"].map((arch) => [os, arch, "", "./cmd/batchlab"])),
  ["js", "wasm", "small", "./wasm/app"], ["js", "wasm", "", "./wasm/studies"], ["js", "wasm", "", "./edge/worker"],
];

/** The licence of a folder: the text of all its files of that kind. */
export function licence(folder, name) {
  const files = readdirSync(folder).filter((f) => /^(licen[cs]e|copying|notice|patents)/i.test(f)).sort();
  if (!files.some((f) => /^(licen[cs]e|copying)/i.test(f))) throw new Error(`${name} is shipped and has no licence in ${folder}`);
  return files.map((f) => ({ file: f, text: readFileSync(join(folder, f), "utf8") }));
}

/** The SPDX identifier of a licence's text. */
export function identifier(text) {
  const t = text.replace(/\s+/g, " ");
  if (/Apache License,? Version 2\.0/i.test(t)) return "Apache-2.0";
  if (/Permission is hereby granted, free of charge/.test(t)) return "MIT";
  if (/Redistribution and use in source and binary forms/.test(t)) return /Neither the name|names? of .* (may|contributors)/.test(t) ? "BSD-3-Clause" : "BSD-2-Clause";
  throw new Error(`a licence that is not known: ${t.slice(0, 80)}`);
}

/** The npm packages of bundles. */
export function packages(metafiles) {
  const names = new Set();
  for (const meta of metafiles) {
    for (const input of Object.keys(meta.inputs)) {
      const at = input.lastIndexOf("node_modules/");
      if (at >= 0) names.add(/^(@[^/]+\/)?[^/]+/.exec(input.slice(at + "node_modules/".length))[0]);
    }
  }
  return [...names].sort();
}

/** All parts: name, version, purl, licence. Go's own library and start script come first. */
export function parts(metafiles) {
  const go = (args, env = {}) => execFileSync("go", args, { encoding: "utf8", env: { ...process.env, ...env }, maxBuffer: 1 << 26 });
  const modules = new Map();
  for (const [GOOS, GOARCH, tags, path] of programs) {
    for (const line of go(["list", "-deps", "-tags", tags, "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}", path], { GOOS, GOARCH, CGO_ENABLED: "0" }).split("\n")) {
      if (line) modules.set(line, line.split(" "));
    }
  }
  const [root, version] = go(["env", "GOROOT", "GOVERSION"]).trim().split("\n");
  const all = [{ name: "Go", version: version.replace(/^go/, ""), purl: `pkg:golang/std@${version.replace(/^go/, "")}`, folder: root }];
  for (const [name, version, folder] of [...modules.values()].sort((a, b) => a[0] < b[0] ? -1 : 1)) all.push({ name, version, purl: `pkg:golang/${name}@${version}`, folder });
  for (const name of packages(metafiles)) {
    const folder = join("node_modules", name), { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    all.push({ name, version, purl: `pkg:npm/${name.replace("@", "%40")}@${version}`, folder });
  }
  return all.map(({ folder, ...part }) => ({ ...part, licences: licence(folder, part.name) }));
}

if (process.argv[1]?.endsWith("shipped.mjs")) {
  const [what, ...rest] = process.argv.slice(2), release = what === "bom" ? rest.shift() : "";
  const all = parts(rest.map((f) => JSON.parse(readFileSync(f, "utf8"))));
  if (what === "licences") {
    console.log(`Batchlab is under the Apache License 2.0, which comes first; what it is made with follows.\n\n==== Batchlab ====\n\n${readFileSync("LICENSE", "utf8")}`);
    for (const part of all) for (const { file, text } of part.licences) console.log(`==== ${part.name} ${part.version}, ${file} ====\n\n${text}`);
  } else {
    const id = (part) => ({ license: { id: identifier(part.licences.find((l) => /^(licen[cs]e|copying)/i.test(l.file)).text) } });
    const components = all.map((part) => ({ type: "library", "bom-ref": part.purl, name: part.name, version: part.version, licenses: [id(part)], purl: part.purl }));
    const own = { type: "application", "bom-ref": "batchlab", name: "batchlab", version: release, licenses: [{ license: { id: "Apache-2.0" } }] };
    // A serial number made of the content: the same bill has the same one.
    const h = createHash("sha256").update(JSON.stringify([own, components])).digest("hex");
    const serial = `urn:uuid:${h.slice(0, 8)}-${h.slice(8, 12)}-5${h.slice(13, 16)}-a${h.slice(17, 20)}-${h.slice(20, 32)}`;
    console.log(JSON.stringify({ bomFormat: "CycloneDX", specVersion: "1.5", serialNumber: serial, version: 1, metadata: { component: own }, components,
      dependencies: [{ ref: "batchlab", dependsOn: all.map((p) => p.purl) }] }, null, 1));
  }
}
