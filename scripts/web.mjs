// Writes Zebu as a web page: a folder for any host of files, and one file that needs nothing else.
// node scripts/web.mjs PROGRAM.wasm NETWORK FOLDER
// node scripts/web.mjs bench FOLDER/zebu.bin DEPTH

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { gunzipSync, gzipSync } from "node:zlib";

const texts = [];
const nothing = () => {};

async function begin(wasm) {
  const {
    instance: { exports },
  } = await WebAssembly.instantiate(wasm, {
    page: {
      tell: (place, count) => texts.push(Buffer.from(exports.memory.buffer, place, count).toString()),
      now: () => performance.timeOrigin + performance.now(),
      fill: nothing,
      order: nothing,
      stop_worker: nothing,
      end_worker: nothing,
      keep: nothing,
      kept: nothing,
      is_told_to_stop: () => 0,
    },
  });
  return exports;
}

const [program, network, folder] = process.argv.slice(2);
if (program === "bench") {
  (await begin(gunzipSync(readFileSync(network)))).bench(+folder);
  console.log(texts.join("\n"));
  process.exit();
}
const wasm = readFileSync(program);
(await begin(wasm)).page();
const [page, style, script] = texts;
const packed = gzipSync(wasm, { level: 9 });

// The page with a policy: its own scripts and styles alone, and the program.
function guarded(page, own, worker, [scripts, styles]) {
  const policy = `default-src 'none'; script-src ${scripts} 'wasm-unsafe-eval'; style-src ${styles}; connect-src ${own} https://lichess.org https://api.chess.com; worker-src ${worker}; manifest-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'`;
  return page.replace(
    '<meta charset="utf-8">',
    (charset) => `${charset}\n<meta http-equiv="Content-Security-Policy" content="${policy}">`,
  );
}

mkdirSync(folder, { recursive: true });
const write = (name, data) => writeFileSync(`${folder}/${name}`, data);
// Installed as an app it has a name and an icon.
const app = page.replace(
  '<link rel="icon" href="data:,">',
  '<link rel="icon" href="icon.svg">\n<link rel="manifest" href="manifest.json">',
);
write("index.html", guarded(app, "'self'", "'self' blob:", ["'self'", "'self'"]));
write("icon.svg", readFileSync("src/page/icon.svg"));
write(
  "manifest.json",
  JSON.stringify({
    name: "Zebu",
    short_name: "Zebu",
    start_url: "./",
    display: "standalone",
    background_color: "#f7f5f0",
    theme_color: "#17605f",
    icons: [{ src: "icon.svg", sizes: "any", type: "image/svg+xml" }],
  }),
);
write("page.css", style);
write("page.js", script);
write("zebu.bin", packed);
write("LICENSE", readFileSync("LICENSE"));
write("NOTICE.txt", readFileSync("scripts/NOTICE.txt"));
const version = createHash("sha256")
  .update(packed)
  .update(page + style + script)
  .digest("hex")
  .slice(0, 16);
write("offline.js", readFileSync("src/page/offline.js", "utf8").replace("{VERSION}", version));

const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
const whole = page.replace(
  /<link rel="stylesheet".*\n<script.*\n/,
  () => `<style>${style}</style>\n<script>${script}</script>\n`,
);
const single = guarded(whole, "data:", "blob:", [hash(script), hash(style)]).replace(
  "</body>",
  () => `<script type="text/plain" id="program">${packed.toString("base64")}</script>\n</body>`,
);
writeFileSync(`${folder}.html`, single);

// The network is in the program as it is; what it takes there is what zeros in its place save.
const without = Buffer.from(wasm);
const place = without.indexOf(readFileSync(network));
without.fill(0, place, place + readFileSync(network).length);
const row = (what, text) =>
  console.log(
    `${what.padEnd(36)}${String(text.length).padStart(10)}${String(gzipSync(text, { level: 9 }).length).padStart(10)}`,
  );
console.log(`${"".padEnd(36)}${"bytes".padStart(10)}${"packed".padStart(10)}`);
row("program with the network", wasm);
row("program without it", without);
row("page, style, scripts", Buffer.from(page + style + script));
row(`${folder}.html, the single file`, Buffer.from(single));
