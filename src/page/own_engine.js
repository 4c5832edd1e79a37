// The engine in the page itself, in WebAssembly: the voice here, and a worker for each that searches. There is
// no server.

// An instance of the program. What it asks of the page is in src/wasm.rs.
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

class Seat {
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

// The lines of the list of games in the browser's database, each under its game's number. The first tab has it;
// others keep nothing.
class Shelf {
  static async open() {
    const shelf = new Shelf();
    if (!(await shelf.locked())) return shelf;
    shelf.database = await new Promise((resolve) => {
      const request = indexedDB.open("zebu", 1);
      request.addEventListener("upgradeneeded", () => request.result.createObjectStore("games"));
      request.addEventListener("success", () => resolve(request.result));
      request.addEventListener("error", () => resolve(null));
    }).catch(() => null);
    return shelf;
  }

  locked() {
    if (!navigator.locks) return true;
    return new Promise((resolve) => {
      navigator.locks.request("zebu games", { ifAvailable: true }, (lock) => {
        resolve(!!lock);
        return lock && new Promise(() => {});
      });
    });
  }

  get games() {
    return this.database.transaction("games", "readwrite").objectStore("games");
  }

  async lines() {
    if (!this.database) return "";
    const request = this.games.getAll();
    return new Promise((resolve) => {
      request.addEventListener("success", () => resolve(request.result.join("\n")));
      request.addEventListener("error", () => resolve(""));
    });
  }

  keep(lines) {
    if (!this.database) return;
    const { games } = this;
    for (const line of lines.split("\n").filter(Boolean)) {
      const [number] = line.split(" ", 1);
      games.put(line, +number);
    }
  }
}

class Engine {
  // Beyond that a browser has no memory for a table.
  static mostMemory = 1024;

  // `hear` is told each event.
  constructor(hear) {
    this.hear = hear;
    this.seats = new Map();
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
    const seat = (number) =>
      this.seats.get(number) ??
      this.seats
        .set(
          number,
          new Seat(
            module,
            (told) => {
              program.exports.hear(number, ...program.give(told));
              this.turn(program);
            },
            (text) => this.lose(text),
          ),
        )
        .get(number);
    const program = await instance(module, {
      tell: (place, count) => this.told(JSON.parse(new TextDecoder().decode(program.bytes(place, count)))),
      order: (number, place, count) => seat(number).order(program.bytes(place, count).slice()),
      stop_worker: (number) => this.seats.get(number)?.stop(),
      end_worker: (number) => {
        this.seats.get(number)?.worker.terminate();
        this.seats.delete(number);
      },
      is_told_to_stop: () => false,
    });
    const isSmall = (navigator.deviceMemory ?? 4) < 4 || matchMedia("(pointer: coarse)").matches;
    this.shelf = await Shelf.open();
    program.exports.begin(
      ...program.give(new TextEncoder().encode(`${kept("zebu", "")}\n${await this.shelf.lines()}`)),
      isSmall ? 16 : 64,
    );
    setTimeout(() => this.turn(program));
    return program;
  }

  lose(text) {
    this.hear({ tell: "lost", text });
  }

  told(said) {
    if (said.tell === "keep") keep("zebu", said.kept);
    else if (said.tell === "keep_games") this.shelf.keep(said.lines);
    else if (said.tell) this.hear(said);
    else this.answer = said;
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
    program.exports.ask(...program.give(new TextEncoder().encode(JSON.stringify(question))));
    this.turn(program);
    const { wrong, items, said = "" } = this.answer;
    if (wrong) throw new Error(wrong);
    return items ?? said;
  }
}
