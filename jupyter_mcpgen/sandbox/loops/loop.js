// Runs cells of JavaScript in one context; a cell ends when nothing is left to wait for.
"use strict";

const fs = require("node:fs");
const path = require("node:path");
const vm = require("node:vm");
const { createRequire } = require("node:module");

const REQUESTS = 3;
const REPLIES = 4;
const LENGTH_BYTES = 4;
const MOST_MESSAGE = 2000;
const INPUT = path.join(process.env.TMPDIR, "stdin.txt");

class Exit extends Error {
  constructor(code) {
    super(`exit ${code}`);
    this.code = Number(code ?? process.exitCode ?? 0);
  }
}

// By name: merely reading some of the others loads what needs more memory than a cell may map.
const GIVEN = [
  "console", "process", "Buffer", "URL", "URLSearchParams", "TextEncoder", "TextDecoder", "AbortController",
  "AbortSignal", "Event", "EventTarget", "performance", "structuredClone", "queueMicrotask", "atob", "btoa",
  "setTimeout", "setInterval", "setImmediate", "clearTimeout", "clearInterval", "clearImmediate",
];
const context = vm.createContext(Object.fromEntries(GIVEN.map((name) => [name, globalThis[name]])));
context.globalThis = context.global = context;
context.require = createRequire(path.join(process.cwd(), "cell.js"));
context.module = { exports: {} };
context.exports = context.module.exports;

const OURS = new Set(Object.keys(context));
const BROKEN_STATE = "The state file could not be read, so this session starts without variables.";

let number = 0;
let mark = null;
let failure = null;
let isRunning = false;
let stateFile = null;
let notes = [];

process.exit = (code) => {
  throw new Exit(code);
};
process.on("uncaughtException", fail);
process.on("beforeExit", () => {
  if (isRunning) {
    isRunning = false;
    if (stateFile !== null) keep(stateFile);
    send({ exit_code: failure?.code ?? 0, message: failure?.message?.slice(0, MOST_MESSAGE) ?? null, notes, mark });
    setImmediate(next);
  }
});
setImmediate(next);

function next() {
  const request = receive();
  if (request === null) process.reallyExit(0);
  giveInput(request.stdin);
  mark = request.mark;
  number += 1;
  failure = null;
  notes = [];
  stateFile = request.state_file ?? null;
  if (stateFile !== null && number === 1) recall(stateFile);
  isRunning = true;
  try {
    new vm.Script(request.code, { filename: `<cell ${number}>` }).runInContext(context);
  } catch (error) {
    fail(error);
  }
}

function fail(error) {
  if (error instanceof Exit) {
    failure ??= error.code === 0 ? null : { code: error.code, message: `process.exit(${error.code})` };
    return;
  }
  const text = (error !== null && typeof error === "object" && error.stack) || String(error);
  const lines = String(text).split("\n").filter((line) => !line.includes(__filename) && !line.includes("(node:vm"));
  fs.writeSync(2, `Uncaught ${lines.join("\n")}\n`);
  const told = lines.find((line) => /^[A-Za-z]*Error\b/.test(line)) ?? lines[0];
  failure ??= { code: 1, message: told };
}

function recall(file) {
  let state;
  try {
    state = JSON.parse(fs.readFileSync(file, "utf8"));
  } catch (error) {
    if (error.code !== "ENOENT") notes.push(BROKEN_STATE);
    return;
  }
  if (!isTable(state)) notes.push(BROKEN_STATE);
  else for (const [name, value] of Object.entries(state)) if (!OURS.has(name)) context[name] = value;
}

function keep(file) {
  const state = {};
  for (const [name, value] of Object.entries(context)) {
    if (!OURS.has(name) && !name.startsWith("_") && isPlain(value, 50)) state[name] = value;
  }
  try {
    fs.writeFileSync(`${file}.part`, JSON.stringify(state));
    fs.renameSync(`${file}.part`, file);
  } catch (error) {
    notes.push(`The state file was not written: ${error.message}.`);
  }
}

function isPlain(value, deep) {
  if (value === null || typeof value === "boolean" || typeof value === "string") return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (deep === 0 || typeof value !== "object") return false;
  if (Array.isArray(value)) return value.every((part) => isPlain(part, deep - 1));
  return isTable(value) && Object.values(value).every((part) => isPlain(part, deep - 1));
}

function isTable(value) {
  // By its kind and not by its prototype, which differs between contexts.
  return Object.prototype.toString.call(value) === "[object Object]" && typeof value.toJSON !== "function";
}

function giveInput(text) {
  // There is no `dup2` here: what is opened next takes the lowest free number, which is 0.
  fs.writeFileSync(INPUT, text);
  fs.closeSync(0);
  fs.openSync(INPUT, "r");
}

function receive() {
  const length = readExactly(LENGTH_BYTES);
  const body = length === null ? null : readExactly(length.readUInt32BE(0));
  return body === null ? null : JSON.parse(body.toString("utf8"));
}

function readExactly(count) {
  const data = Buffer.alloc(count);
  let at = 0;
  while (at < count) {
    const got = fs.readSync(REQUESTS, data, at, count - at, null);
    if (got === 0) return null;
    at += got;
  }
  return data;
}

function send(reply) {
  const body = Buffer.from(JSON.stringify(reply), "utf8");
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(body.length, 0);
  fs.writeSync(REPLIES, Buffer.concat([length, body]));
}
