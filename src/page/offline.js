// Keeps the page for visits without a network.

const KEPT = "zebu {VERSION}";

addEventListener("install", (event) =>
  event.waitUntil(
    caches
      .open(KEPT)
      .then((cache) => cache.addAll(["./", "page.css", "page.js", "zebu.bin", "icon.svg", "manifest.json"]))
      .then(() => skipWaiting()),
  ),
);
addEventListener("activate", (event) =>
  event.waitUntil(
    caches
      .keys()
      .then((names) =>
        Promise.all(
          names.filter((name) => name.startsWith("zebu ") && name !== KEPT).map((name) => caches.delete(name)),
        ),
      ),
  ),
);
addEventListener("fetch", (event) =>
  event.respondWith(caches.match(event.request).then((kept) => kept ?? fetch(event.request))),
);
