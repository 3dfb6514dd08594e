// The inline scripts of a file that do not parse: [{text, error}]. Nothing of the file runs.
async (html) => {
  const kinds = new Set(["", "module", "text/javascript", "application/javascript", "text/ecmascript"]);
  const file = new DOMParser().parseFromString(html, "text/html");
  const faults = [];
  for (const script of file.querySelectorAll("script:not([src])")) {
    const kind = (script.getAttribute("type") || "").trim().toLowerCase();
    if (!kinds.has(kind)) continue;
    const text = script.textContent;
    try {
      if (kind === "module") await parseModule(text);
      else new Function(text);
    } catch (error) {
      if (error instanceof SyntaxError) faults.push({ text, error: String(error) });
    }
  }
  return faults;

  // A module is parsed before what it imports is looked up, so an import that cannot be found keeps it from running.
  async function parseModule(text) {
    const address = URL.createObjectURL(
      new Blob([text, '\nimport "not a specifier";'], { type: "text/javascript" }),
    );
    try {
      await import(address);
    } finally {
      URL.revokeObjectURL(address);
    }
  }
}
