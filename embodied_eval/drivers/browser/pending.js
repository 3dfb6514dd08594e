// Knows what real work a page still waits for, so that virtual time never runs past it: files, pictures,
// fonts, compiled code. A part of the init script (see script.py).
(kit) => {
  "use strict";
  const { real, hop } = kit;
  const QUIET_LIMIT_MS = kit.config.quietLimitMs; // real milliseconds before virtual time goes on regardless
  const POLL_MS = 2;
  const open = new Set(); // work begun and not done
  const pictures = new Set();
  kit.stalled = 0; // how often the limit was reached
  kit.workers = 0;

  const begin = () => {
    const work = {};
    open.add(work);
    return () => { open.delete(work); };
  };
  const track = (owner, name) => {
    const native = owner?.[name];
    if (typeof native !== "function") return;
    const wrapped = function (...parts) {
      const promise = Reflect.apply(native, this, parts);
      const done = begin();
      promise.then(done, done);
      return promise;
    };
    Object.defineProperty(wrapped, "name", { value: name });
    real.defineProperty(owner, name, { value: wrapped, writable: true, configurable: true, enumerable: true });
  };
  track(window, "fetch");
  track(window, "createImageBitmap");
  for (const name of ["arrayBuffer", "blob", "bytes", "formData", "json", "text"]) {
    track(Response.prototype, name);
    if (Blob.prototype[name]) track(Blob.prototype, name);
  }
  for (const name of ["compile", "instantiate", "compileStreaming", "instantiateStreaming"]) track(WebAssembly, name);
  for (const name of ["digest", "importKey", "sign", "deriveBits"]) track(window.SubtleCrypto?.prototype, name);
  track(HTMLImageElement.prototype, "decode");
  track(window.FontFace?.prototype, "load");
  track(window.FontFaceSet?.prototype, "load");

  const nativeSend = XMLHttpRequest.prototype.send;
  XMLHttpRequest.prototype.send = function send(...parts) {
    Reflect.apply(real.addEventListener, this, ["loadend", begin(), { once: true }]);
    return Reflect.apply(nativeSend, this, parts);
  };
  for (const name of ["readAsArrayBuffer", "readAsDataURL", "readAsText"]) {
    const native = FileReader.prototype[name];
    FileReader.prototype[name] = function (...parts) {
      Reflect.apply(real.addEventListener, this, ["loadend", begin(), { once: true }]);
      return Reflect.apply(native, this, parts);
    };
  }
  const source = Object.getOwnPropertyDescriptor(HTMLImageElement.prototype, "src");
  real.defineProperty(HTMLImageElement.prototype, "src", {
    ...source,
    set(value) {
      Reflect.apply(source.set, this, [value]);
      if (this.loading !== "lazy") pictures.add(this);
    },
  });
  if (window.Worker) {
    window.Worker = new Proxy(Worker, {
      construct(native, parts, target) {
        kit.workers += 1;
        return Reflect.construct(native, parts, target);
      },
    });
  }

  const isPending = () => {
    for (const picture of pictures) if (picture.complete) pictures.delete(picture);
    return open.size > 0 || pictures.size > 0;
  };
  kit.quiet = async () => {
    if (!open.size && !pictures.size) return;
    const end = real.now() + QUIET_LIMIT_MS;
    while (isPending()) {
      if (real.now() > end) {
        // What does not come now is not waited for again.
        kit.stalled += 1;
        open.clear();
        pictures.clear();
      }
      await new Promise((resolve) => real.setTimeout(resolve, POLL_MS));
    }
    // What waited for the work runs now, and may begin more.
    await hop();
    await hop();
    if (isPending()) await kit.quiet();
  };
}
