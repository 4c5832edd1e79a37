// The engine in the page itself, in WebAssembly: the voice here, and a worker for each that searches. There is
// no server.

// An instance of the program. What it asks of the page is in src/engine/system/wasm.rs.
async function instance(module, page) {
  const clock = {
    now: () => performance.timeOrigin + performance.now(),
    fill: (place, count) => crypto.getRandomValues(bytes(place, count)),
  };
  const { exports } = await WebAssembly.instantiate(module, { page: { ...clock, ...page } });
  const bytes = (place, count) => new Uint8Array(exports.memory.buffer, place, count);
  const give = (data) => {
    const place = exports.allocate(data.length);
    bytes(place, data.length).set(data);
    return [place, data.length];
  };
  return { exports, bytes, give };
}

// The bytes of a block of the library's file, as in library/pages.rs.
const BLOCK = 16 << 10;

// A worker does one order after the other. Where the browser can suspend a program, it is suspended now and then,
// so that the worker hears of a stop.
const suspends = "Suspending" in WebAssembly;

function work() {
  const { port1, port2 } = new MessageChannel();
  const suspends = "Suspending" in WebAssembly;
  let program;
  let number;
  let stopped = 0;
  let done = Promise.resolve();
  const mayStop = () =>
    new Promise((resolve) => {
      port1.onmessage = () => resolve(number <= stopped);
      port2.postMessage(null);
    });
  const begin = async (module) => {
    program = await instance(module, {
      tell: (place, count) => postMessage({ number, told: program.bytes(place, count).slice() }),
      is_told_to_stop: suspends ? new WebAssembly.Suspending(mayStop) : () => false,
      order() {},
      stop_worker() {},
      end_worker() {},
      keep() {},
      kept() {},
    });
  };
  const obey = async (data) => {
    ({ number } = data);
    const { exports, give } = program;
    await (suspends ? WebAssembly.promising(exports.obey) : exports.obey)(...give(data.order));
    postMessage({ number });
  };
  addEventListener("message", ({ data }) => {
    if (data.stop) stopped = data.stop;
    else done = done.then(() => (data.module ? begin(data.module) : obey(data)));
  });
  // A worker that fails says so.
  addEventListener("unhandledrejection", ({ reason }) => {
    throw reason;
  });
}

class EngineWorker {
  // `hear` is told what the worker tells of its last order, and `lose` what goes wrong.
  constructor(module, hear, lose) {
    Object.assign(this, { module, hear, lose, number: 0, orders: new Map() });
    this.begin();
  }

  begin() {
    const script = URL.createObjectURL(
      new Blob([`"use strict";\n${instance}\n(${work})();`], { type: "text/javascript" }),
    );
    this.worker = new Worker(script);
    this.worker.addEventListener("message", ({ data }) => this.told(data));
    this.worker.addEventListener("error", ({ message }) => this.lose(message));
    this.worker.postMessage({ module: this.module });
    this.orders.forEach((order) => this.worker.postMessage(order));
  }

  order(order) {
    this.number += 1;
    const message = { number: this.number, order };
    this.orders.set(this.number, message);
    this.worker.postMessage(message);
  }

  told({ number, told }) {
    if (!told) this.orders.delete(number);
    else if (number === this.number) this.hear(told);
  }

  // Stops all that was ordered so far. A worker that does not hear of it is replaced.
  stop() {
    const stopped = [...this.orders.keys()];
    if (!stopped.length) return;
    this.worker.postMessage({ stop: this.number });
    setTimeout(
      () => {
        if (!stopped.map((number) => this.orders.delete(number)).includes(true)) return;
        this.worker.terminate();
        this.begin();
        this.hear(new TextEncoder().encode('{"Over":{"Ok":null}}'));
      },
      suspends ? 2000 : 20,
    );
  }
}

// The library's file in the browser's database, in blocks. The first tab has it; others keep nothing.
class LibraryFile {
  // Promises the file with its bytes, and why the browser keeps nothing if that is so.
  static async open() {
    const file = new LibraryFile();
    try {
      await file.read();
    } catch (error) {
      file.fail(error, "Nothing is kept");
    }
    return file;
  }

  constructor() {
    Object.assign(this, { bytes: new Uint8Array(0), blocks: [], problem: null, writing: Promise.resolve() });
  }

  async read() {
    const isLocked = await this.locked();
    this.database = await this.result(this.begun());
    const stored = this.database.transaction("library").objectStore("library");
    const [numbers, blocks] = await Promise.all([stored.getAllKeys(), stored.getAll()].map(this.result));
    const length = numbers.indexOf("length");
    this.bytes = new Uint8Array(length < 0 ? 0 : blocks[length]);
    numbers.forEach((number, i) => {
      if (i !== length) this.bytes.set(blocks[i].subarray(0, this.bytes.length - number * BLOCK), number * BLOCK);
    });
    if (!isLocked) throw new Error("another tab has this library open");
  }

  begun() {
    const request = indexedDB.open("zebu", 2);
    request.addEventListener("upgradeneeded", () => {
      const names = request.result.objectStoreNames;
      for (const name of ["games", "library"]) if (!names.contains(name)) request.result.createObjectStore(name);
    });
    return request;
  }

  result(request) {
    return new Promise((resolve, reject) => {
      request.addEventListener("success", () => resolve(request.result));
      request.addEventListener("error", () => reject(request.error));
      request.addEventListener("blocked", () => reject(new Error("an older Zebu is open in another tab")));
    });
  }

  // Two tabs never write one file. A page that is loaded again waits until it has left.
  locked() {
    if (!navigator.locks) return true;
    return new Promise((resolve) => {
      const hold = () => {
        resolve(true);
        return new Promise(() => {});
      };
      navigator.locks.request("zebu games", { signal: AbortSignal.timeout(2000) }, hold).catch(() => resolve(false));
    });
  }

  // What earlier versions kept: a line for each game.
  async earlierList() {
    if (!this.database) return "";
    return (await this.result(this.database.transaction("games").objectStore("games").getAll())).join("\n");
  }

  keep(number, block) {
    this.blocks.push([number, block]);
  }

  // Writes the blocks in one transaction, so that the file is of one moment whatever happens.
  kept(length) {
    const { blocks } = this;
    this.blocks = [];
    if (!this.database || this.problem) return;
    const transaction = this.database.transaction("library", "readwrite");
    const stored = transaction.objectStore("library");
    for (const [number, block] of blocks) stored.put(block, number);
    stored.put(length, "length");
    this.writing = new Promise((resolve) => {
      transaction.addEventListener("complete", resolve);
      transaction.addEventListener("abort", () => resolve(this.fail(transaction.error)));
    });
  }

  // From now on nothing is written, so that what is kept stays whole.
  fail(error, what = "Nothing more is kept") {
    const isFull = error?.name === "QuotaExceededError";
    const reason = isFull ? "the browser has no more room for it" : (error?.message ?? "the browser refuses");
    this.problem = `${what}: ${reason}. Export your games before you leave this page.`;
  }
}

class Engine {
  // Beyond that a browser has no memory for a table.
  static mostMemory = 1024;

  // `hear` is told each event.
  constructor(hear) {
    this.hear = hear;
    this.workers = new Map();
    this.questions = new Map();
    this.asked = 0;
    this.program = this.begin();
    this.program.catch(({ message }) =>
      this.lose(`This browser cannot run Zebu: it takes WebAssembly with vectors (SIMD). ${message}`),
    );
    if (location.protocol !== "file:") navigator.serviceWorker?.register("offline.js").catch(() => {});
  }

  async begin() {
    const carried = document.getElementById("program");
    const packed = carried ? "data:;base64," + carried.textContent : "zebu.bin";
    const bytes = (await fetch(packed)).body.pipeThrough(new DecompressionStream("gzip"));
    const module = await WebAssembly.compile(await new Response(bytes).arrayBuffer());
    const worker = (number) => {
      if (!this.workers.has(number)) {
        const hear = (told) => {
          program.exports.hear(number, ...program.give(told));
          this.turn(program);
        };
        this.workers.set(number, new EngineWorker(module, hear, (text) => this.lose(text)));
      }
      return this.workers.get(number);
    };
    const program = await instance(module, {
      tell: (place, count) => this.told(JSON.parse(new TextDecoder().decode(program.bytes(place, count)))),
      order: (number, place, count) => worker(number).order(program.bytes(place, count).slice()),
      stop_worker: (number) => this.workers.get(number)?.stop(),
      end_worker: (number) => {
        this.workers.get(number)?.worker.terminate();
        this.workers.delete(number);
      },
      is_told_to_stop: () => false,
      keep: (number, place, count) => this.file.keep(number, program.bytes(place, count).slice()),
      kept: (length) => this.file.kept(length),
    });
    const isSmall = (navigator.deviceMemory ?? 4) < 4 || matchMedia("(pointer: coarse)").matches;
    this.file = await LibraryFile.open();
    const earlier = { list: await this.file.earlierList(), board: kept("zebu", "") };
    const visit = { hash: isSmall ? 16 : 64, problem: this.file.problem, earlier };
    program.exports.begin(
      ...program.give(new TextEncoder().encode(JSON.stringify(visit))),
      ...program.give(this.file.bytes),
    );
    this.file.bytes = null;
    setTimeout(() => this.turn(program));
    return program;
  }

  lose(text) {
    this.hear({ tell: "lost", text });
  }

  async told(said) {
    const { number, answer, tell, state } = said;
    if (tell === "library") state.problem ??= this.file.problem;
    if (tell) return this.hear(said);
    // What an answer says is kept is kept.
    await this.file.writing;
    this.questions.get(number)(answer);
    this.questions.delete(number);
  }

  // Does what is due.
  turn(program) {
    clearTimeout(this.next);
    const wait = program.exports.turn();
    if (wait >= 0) this.next = setTimeout(() => this.turn(program), wait);
  }

  // Promises what is answered; what is wrong is thrown, in words.
  async ask(question) {
    const program = await this.program;
    this.asked += 1;
    const answered = new Promise((resolve) => this.questions.set(this.asked, resolve));
    program.exports.ask(this.asked, ...program.give(new TextEncoder().encode(JSON.stringify(question))));
    this.turn(program);
    const { wrong, found, said = "" } = await answered;
    if (wrong) throw new Error(wrong);
    return found ?? said;
  }
}
