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
 *   window.longTasks   for the benchmark
 */
export function watch() {
  window.pending = new Map();
  window.longTasks = [];
  new PerformanceObserver((list) => {
    for (const e of list.getEntries()) window.longTasks.push({ start: e.startTime, duration: e.duration });
  }).observe({ type: "longtask", buffered: true });

  const none = () => ({ frames: 0, pieces: 0, bytes: 0, most: 0, started: 0, ended: 0 });
  window.work = { ...none(), begin() { Object.assign(this, none()); } };
  const work = window.work;

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
      super.addEventListener(event, (e) => {
        if (!simulated(e.data.head) || through-- > 0) f(e);
        else held.push(() => f(e));
      }, ...rest);
    }
    terminate() {
      work.ended++;
      super.terminate();
    }
  };
}

/** Waits until the page has nothing more to do of what it was asked: no frame and
 *  no short timer is to come, and nothing moves any more. */
export async function settled(page) {
  // What a hand did comes with the next frame.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))));
  await page.waitForFunction(() => window.pending.size === 0 &&
    document.getAnimations().every((a) => a.playState !== "running" || a.effect?.getComputedTiming().iterations === Infinity), null, { timeout: 120_000 })
    .catch(async (e) => { throw new Error(`the page does not come to rest: ${await page.evaluate(() => JSON.stringify([...window.pending])).catch(() => e.message)}`); });
}
