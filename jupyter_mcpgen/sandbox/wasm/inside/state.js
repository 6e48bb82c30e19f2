// Keeps the plain variables of a session in a file and reads them again; what is printed here are notes for the person.
const OURS = [
  "argv0", "clearTimeout", "console", "execArgv", "navigator", "os", "performance", "print", "scriptArgs", "setTimeout",
  "std",
];
const BROKEN_STATE = "The state file could not be read, so this session starts without variables.";
const DEEPEST = 50;

function recall(file) {
  const text = std.loadFile(file);
  if (text === null) return;
  let state = null;
  try {
    state = JSON.parse(text);
  } catch {
    // told below, with whatever else is no table
  }
  if (!isTable(state)) print(BROKEN_STATE);
  else for (const [name, value] of Object.entries(state)) if (!OURS.includes(name)) globalThis[name] = value;
}

function keep(file) {
  const state = {};
  for (const name of Object.keys(globalThis)) {
    if (!OURS.includes(name) && !name.startsWith("_") && isPlain(globalThis[name], DEEPEST)) state[name] = globalThis[name];
  }
  const part = std.open(`${file}.part`, "w");
  if (part === null) {
    print("The state file was not written: it cannot be opened.");
    return;
  }
  part.puts(JSON.stringify(state));
  part.close();
  if (os.rename(`${file}.part`, file) !== 0) print("The state file was not written: it cannot be replaced.");
}

function isPlain(value, deep) {
  if (value === null || typeof value === "boolean" || typeof value === "string") return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (deep === 0 || typeof value !== "object") return false;
  if (Array.isArray(value)) return value.every((part) => isPlain(part, deep - 1));
  return isTable(value) && Object.values(value).every((part) => isPlain(part, deep - 1));
}

function isTable(value) {
  return Object.prototype.toString.call(value) === "[object Object]" && typeof value.toJSON !== "function";
}
