// Tries to reach a listening socket in every way a page has; `tried` names each attempt, `done` tells the end.
const query = new URLSearchParams(location.search);
const host = `${query.get("host")}:${query.get("port")}`;
const http = `http://${host}/`;
const tried = {};
window.tried = tried;
window.done = false;

const element = (tag, values, parent = document.body) => {
  const made = document.createElement(tag);
  Object.assign(made, values);
  parent.append(made);
  return made;
};
const blob = (text, type = "text/javascript") => URL.createObjectURL(new Blob([text], { type }));
const peer = (Constructor, name) => {
  const connection = new Constructor({ iceServers: [{ urls: `stun:${host}` }] });
  connection.createDataChannel("out");
  connection.onicecandidate = (event) => { if (event.candidate) tried[`${name} candidate`] = event.candidate.candidate; };
  return connection.createOffer().then((offer) => connection.setLocalDescription(offer)).then(() => "offered");
};
const reach = `
  const tries = [fetch("${http}worker"), fetch("https://${host}/worker")];
  try { new WebSocket("ws://${host}/worker"); } catch (error) {}
  try { importScripts("${http}worker.js"); } catch (error) {}
  try { new EventSource("${http}worker-events"); } catch (error) {}
  try { new XMLHttpRequest().open("GET", "${http}worker-xhr", true); } catch (error) {}
`;

const attempts = {
  fetch: () => fetch(http + "fetch", { mode: "no-cors" }),
  "fetch https": () => fetch(`https://${host}/fetch`, { mode: "no-cors" }),
  "fetch keepalive": () => fetch(http + "keepalive", { method: "POST", body: "x", keepalive: true, mode: "no-cors" }),
  "fetch by name": () => fetch(`http://localhost:${query.get("port")}/name`, { mode: "no-cors" }),
  xhr: () => new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.onload = resolve;
    request.onerror = () => reject(new Error("xhr"));
    request.open("GET", http + "xhr");
    request.send();
  }),
  beacon: () => { if (!navigator.sendBeacon(http + "beacon", "x")) throw new Error("beacon"); },
  image: () => new Promise((resolve, reject) => Object.assign(new Image(), { onload: resolve, onerror: () => reject(new Error("image")), src: http + "image.png" })),
  script: () => element("script", { src: http + "script.js" }, document.head),
  module: () => import(http + "module.js"),
  style: () => element("link", { rel: "stylesheet", href: http + "style.css" }, document.head),
  font: () => new FontFace("x", `url(${http}font.woff2)`).load(),
  preconnect: () => element("link", { rel: "preconnect", href: http }, document.head),
  "name prefetch": () => element("link", { rel: "dns-prefetch", href: `//${host}/` }, document.head),
  prefetch: () => element("link", { rel: "prefetch", href: http + "prefetch" }, document.head),
  preload: () => element("link", { rel: "preload", as: "fetch", href: http + "preload" }, document.head),
  speculation: () => element("script", { type: "speculationrules", textContent: JSON.stringify({ prefetch: [{ source: "list", urls: [http + "speculation"], requires: ["anonymous-client-ip-when-cross-origin"] }], prerender: [{ source: "list", urls: [http + "prerender"] }] }) }, document.head),
  icon: () => element("link", { rel: "icon", href: http + "icon.png" }, document.head),
  manifest: () => element("link", { rel: "manifest", href: http + "manifest.json" }, document.head),
  video: () => element("video", { src: http + "video.mp4", autoplay: true, muted: true }),
  object: () => element("object", { data: http + "object", type: "text/html" }),
  embed: () => element("embed", { src: http + "embed", type: "text/html" }),
  "css image": () => element("div", { style: `width: 9px; height: 9px; background: url(${http}css.png)` }),
  "event source": () => new EventSource(http + "events"),
  socket: () => new Promise((resolve, reject) => Object.assign(new WebSocket(`ws://${host}/socket`), { onopen: resolve, onclose: () => reject(new Error("closed")) })),
  "socket tls": () => new Promise((resolve, reject) => Object.assign(new WebSocket(`wss://${host}/socket`), { onopen: resolve, onclose: () => reject(new Error("closed")) })),
  "socket stream": () => new WebSocketStream(`ws://${host}/stream`).opened,
  transport: () => new WebTransport(`https://${host}/transport`).ready,
  peer: () => peer(RTCPeerConnection, "peer"),
  "peer of a frame": () => peer(element("iframe", {}).contentWindow.RTCPeerConnection, "frame peer"),
  "peer of a srcdoc frame": () => new Promise((resolve, reject) => {
    const frame = element("iframe", { srcdoc: "<p>inner" });
    frame.onload = () => { try { resolve(peer(frame.contentWindow.RTCPeerConnection, "srcdoc peer")); } catch (error) { reject(error); } };
  }),
  frame: () => element("iframe", { src: http + "frame" }),
  "frame script": () => element("iframe", { srcdoc: `<script>fetch("${http}srcdoc", { mode: "no-cors" }); new Image().src = "${http}srcdoc.png"</scr` + "ipt>" }),
  worker: () => new Worker(blob(reach)),
  "worker in a worker": () => new Worker(blob(`new Worker(URL.createObjectURL(new Blob([${JSON.stringify(reach)}], { type: "text/javascript" })))`)),
  "shared worker": () => new SharedWorker(blob(reach)),
  "worker from there": () => new Worker(http + "worker.js"),
  "service worker": () => navigator.serviceWorker.register("/service.js"),
  popup: () => window.open(http + "popup").closed,
  "popup link": () => element("a", { href: http + "link", target: "_blank", rel: "noopener" }).click(),
  ping: () => element("a", { href: "#ping", ping: http + "ping" }).click(),
  download: () => element("a", { href: http + "download", download: "x.bin" }).click(),
  form: () => element("form", { action: http + "form", method: "post" }).submit(),
  "form in a tab": () => element("form", { action: http + "form-tab", method: "post", target: "_blank" }).submit(),
  location: () => { location.href = http + "location"; },
};

// Navigations come last and one at a time, since a new one cancels the one before.
const last = ["popup link", "form in a tab", "ping", "download", "form", "location"];
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const attempt = async (name) => {
  tried[name] = "started";
  try {
    await Promise.race([attempts[name](), pause(800).then(() => { throw new Error("no answer"); })]);
    tried[name] = "went through";
  } catch (error) {
    tried[name] = String(error.message ?? error);
  }
};
const everything = async () => {
  await Promise.all(Object.keys(attempts).filter((name) => !last.includes(name)).map(attempt));
  for (const name of query.has("stay") ? [] : last) { await attempt(name); await pause(50); }
  window.done = true;
};
everything();
