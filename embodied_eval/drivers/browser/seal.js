// Runs in every frame before the page's own scripts: what no route can see is taken away for good.
(() => {
  "use strict";
  const gone = [
    "RTCPeerConnection",
    "webkitRTCPeerConnection",
    "RTCDataChannel",
    "RTCIceTransport",
    "RTCDtlsTransport",
    "RTCSctpTransport",
    "WebTransport",
    "WebSocketStream",
    "SharedWorker",
    "PushManager",
    "PaymentRequest",
    "PresentationRequest",
    "BackgroundFetchManager",
  ];
  const fix = (owner, name, value) => {
    try {
      Object.defineProperty(owner, name, { value, writable: false, configurable: false, enumerable: false });
    } catch (error) {
      // An owner that already fixed the property is one where this script ran before.
      if (!(error instanceof TypeError)) throw error;
    }
  };
  for (const name of gone) fix(globalThis, name, undefined);
  if (typeof window === "undefined") return;

  // A navigation that is only refused as a request has already stopped the page's own loading.
  const { fetch, JSON, URL, location } = window;
  window.navigation?.addEventListener("navigate", (event) => {
    const url = event.destination.url;
    if (new URL(url).origin === location.origin || !event.cancelable) return;
    event.preventDefault();
    const report = { "csp-report": { "blocked-uri": url, "effective-directive": "navigation" } };
    fetch("/.refused-by-policy", { method: "POST", body: JSON.stringify(report) });
  });

  fix(window, "open", function open() { return null; });
  // Dismissed at once, so that a loop of dialogs costs no round trip each.
  fix(window, "alert", function alert() {});
  fix(window, "confirm", function confirm() { return false; });
  fix(window, "prompt", function prompt() { return null; });
  fix(window, "print", function print() {});
  fix(Navigator.prototype, "sendBeacon", function sendBeacon() { return false; });
  for (const name of ["serviceWorker", "presentation", "bluetooth", "usb", "serial", "hid", "credentials"]) {
    // Gone altogether, since pages ask `"serviceWorker" in navigator` before they use it.
    delete Navigator.prototype[name];
  }
})();
