// Where things are and how they are started: for the tests and the benchmark.
import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..");
/** The built page: dist/, or another build that BATCHLAB_DIST names. */
export const dist = process.env.BATCHLAB_DIST || join(root, "dist");
export const cli = join(dist, "bin", "batchlab");
export const out = join(root, "e2e", "out");
/** Folder of real logs, "" when there is none: tests that need it are skipped. */
export const logs = process.env.BATCHLAB_LOGS || "";
/** A seed that makes the browser keep no pace, see watch.mjs; 0 leaves it as it is. */
export const jitter = Number(process.env.BATCHLAB_JITTER) || 0;
/** Tests run without the second compiler of WebAssembly: it costs each page a second and changes no result. Those that compute much, and
 *  whatever is no test, have browsers as people have them. */
export const light = /\.test\.mjs$/.test(process.argv[1]) && !/(digest|large|search|studies)\.test\.mjs$/.test(process.argv[1]);
/** How Chromium is started. */
export const chrome = {
  timeout: 120_000, // other programs may run beside it
  executablePath: process.env.CHROME || "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    ...(light ? ["--js-flags=--liftoff-only"] : [])],
};

/** Starts the built server on a free port. */
export async function serve() {
  const server = spawn(cli, ["serve", "--addr", "127.0.0.1:0", "--dist", dist], { stdio: ["ignore", "pipe", "ignore"] });
  const line = await new Promise((resolve, reject) => {
    server.stdout.once("data", (d) => resolve(String(d)));
    server.once("exit", (code) => reject(new Error(`batchlab serve ended with ${code}`)));
  });
  return { server, base: JSON.parse(line).url };
}
