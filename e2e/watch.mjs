// What the tests see of a page from inside: what it has still to do, how its
// work was cut into pieces, and a clock that they can hurry. Nothing here
// measures time: a test holds on a busy computer what it holds on a quiet one.

/**
 * Runs in the page before anything else. It leaves
 *   window.pending     the frames and short timers that are asked for and have not come
 *   window.work        what was done since work.begin(): frames; pieces copied into
 *                      the program's memory, their bytes, the most bytes in one turn
 *                      of the page's thread; workers started and ended
 *   window.hurry       milliseconds by which performance.now jumps with each look
 *   window.hold(n)     lets n more results of runs through and holds back those behind them
 *   window.calm(frame) waits until what was asked for at once has come, in a frame at the earliest if so asked
 *   window.longTasks   for the benchmark
 *   window.shifted     how far what stands on the page has moved by itself, in shares of it
 * With jitter, a seed, it makes of the computer one whose parts keep no pace: frames,
 * short timers, results of each worker (in their order), files and the store of logs
 * come late by chance, and the number of cores is another.
 */
export function watch(jitter = 0) {
  window.pending = new Map();
  window.longTasks = [];
  new PerformanceObserver((list) => {
    for (const e of list.getEntries()) window.longTasks.push({ start: e.startTime, duration: e.duration });
  }).observe({ type: "longtask", buffered: true });
  window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const e of list.getEntries()) if (!e.hadRecentInput) window.shifted += e.value;
  }).observe({ type: "layout-shift", buffered: true });

  const none = () => ({ frames: 0, pieces: 0, bytes: 0, most: 0, started: 0, ended: 0 });
  window.work = { ...none(), begin() { Object.assign(this, none()); } };
  const work = window.work;

  const later = window.setTimeout.bind(window), frame = window.requestAnimationFrame.bind(window);
  let chance = jitter;
  /** A delay by chance of up to so many milliseconds, mostly a short one. */
  const late = (most) => {
    if (!jitter) return 0;
    chance = (Math.imul(chance, 1103515245) + 12345) >>> 0;
    return most * (chance / 2 ** 32) ** 2;
  };
  if (jitter) spoil();

  window.calm = async (wait) => {
    const turn = () => new Promise((done) => { frame(done); later(done, 100); }); // a page behind another has no frames
    if (wait) await turn();
    // What comes of something may ask for more: a render, then a frame that draws. What goes on by itself is not waited for.
    for (let n = 0; n < 6; n++) {
      const open = [...window.pending].filter(([, ms]) => !(ms > 20)).map(([id]) => id);
      if (!open.length) return;
      for (let k = 0; k < 100 && open.some((id) => window.pending.has(id)); k++) await turn();
    }
  };

  // Timers of more than two seconds are no part of what was just done.
  for (const [ask, end] of [["setTimeout", "clearTimeout"], ["requestAnimationFrame", "cancelAnimationFrame"]]) {
    const real = window[ask].bind(window), stop = window[end].bind(window), short = (ms) => ask !== "setTimeout" || !(ms > 2000);
    window[ask] = (f, ms, ...rest) => {
      if (typeof f !== "function") return real(f, ms, ...rest);
      const id = real((...args) => {
        window.pending.delete(`${ask} ${id}`);
        if (ask === "requestAnimationFrame") work.frames++;
        f(...args);
      }, ms, ...rest);
      if (short(ms)) window.pending.set(`${ask} ${id}`, ms);
      return id;
    };
    window[end] = (id) => {
      window.pending.delete(`${ask} ${id}`);
      stop(id);
    };
  }

  // What is copied to and fro in one turn of the page's thread.
  const set = Uint8Array.prototype.set, turns = new MessageChannel();
  let turn = 0;
  turns.port1.onmessage = () => { turn = 0; };
  Uint8Array.prototype.set = function (from, at) {
    if (from.length > 100_000) {
      if (turn === 0) turns.port2.postMessage(0);
      turn += from.length;
      work.pieces++;
      work.bytes += from.length;
      work.most = Math.max(work.most, turn);
    }
    return set.call(this, from, at);
  };

  window.hurry = 0;
  const clock = performance.now.bind(performance);
  let ahead = 0;
  performance.now = () => clock() + (ahead += window.hurry);

  const Real = window.Worker;
  if (!Real) return;
  // What comes of a worker's simulating can be held back, so that a test is in the
  // middle of the work however fast the computer is.
  const held = [], asked = new Map();
  let through = Infinity;
  window.hold = (n) => {
    through = n;
    while (held.length && through-- > 0) held.shift()();
  };
  const simulated = (head) => /^\{"kind":"(result|take|share)"/.test(head) && /^(run|sweep|search|study)$/.test(asked.get(JSON.parse(head).id));
  window.Worker = class extends Real {
    constructor(...args) {
      super(...args);
      work.started++;
    }
    postMessage(data, ...rest) {
      const q = /^\{"kind":"(\w+)","id":(\d+)/.exec(data.head);
      if (q) asked.set(Number(q[2]), q[1]);
      super.postMessage(data, ...rest);
    }
    addEventListener(event, f, ...rest) {
      if (event !== "message") return super.addEventListener(event, f, ...rest);
      let before = Promise.resolve();
      super.addEventListener(event, (e) => {
        const come = () => {
          if (!simulated(e.data.head) || through-- > 0) f(e);
          else held.push(() => f(e));
        };
        if (!jitter) return come();
        before = before.then(() => new Promise((done) => { later(done, late(60)); })).then(come).catch(reportError);
      }, ...rest);
    }
    terminate() {
      work.ended++;
      super.terminate();
    }
  };

  function spoil() {
    const ask = window.setTimeout.bind(window), end = window.clearTimeout.bind(window);
    window.setTimeout = (f, ms = 0, ...rest) => ask(f, ms > 2000 ? ms : ms + late(60), ...rest);
    const gone = new Set();
    window.requestAnimationFrame = (f) => {
      const id = ask(() => { frame((t) => { if (!gone.delete(id)) f(t); }); }, late(60));
      return id;
    };
    window.cancelAnimationFrame = (id) => { end(id); gone.add(id); };
    const fetch = window.fetch.bind(window);
    window.fetch = async (...args) => {
      await new Promise((done) => { ask(done, late(400)); });
      return fetch(...args);
    };
    const open = IDBFactory.prototype.open;
    IDBFactory.prototype.open = function (...args) {
      const request = open.apply(this, args);
      Object.defineProperty(request, "onsuccess", { set(f) { request.addEventListener("success", (e) => { ask(() => f(e), late(400)); }); } });
      return request;
    };
    const cores = [1, 4, 8, 2, 16][jitter % 5];
    Object.defineProperty(Navigator.prototype, "hardwareConcurrency", { get: () => cores });
  }
}

/** Pages to which something was done since they were looked at last: true when it comes with the next frame only. */
export const touched = new WeakMap();

/** Notes that something was done to a page, or came about by itself. */
export function touch(page, frame = false) {
  touched.set(page, frame || touched.get(page) === true);
}

/** Waits until a page has drawn what it does at once, see watch; frame says that it comes with the next frame only. */
export async function calm(page, frame = false) {
  await page.evaluate((frame) => window.calm?.(frame), frame).catch(() => {}); // it is on its way elsewhere
}

/** Waits until the page has nothing more to do of what it was asked: no frame and
 *  no short timer is to come, and nothing moves any more. */
export async function settled(page) {
  touched.delete(page);
  // What a hand did comes with the next frame.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))));
  await page.waitForFunction(() => window.pending.size === 0 &&
    document.getAnimations().every((a) => a.playState !== "running" || a.effect?.getComputedTiming().iterations === Infinity), null, { timeout: 120_000 })
    .catch(async (e) => { throw new Error(`the page does not come to rest: ${await page.evaluate(() => JSON.stringify([...window.pending])).catch(() => e.message)}`); });
  touched.delete(page);
}
