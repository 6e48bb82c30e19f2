// Runs cells of JavaScript in one context; a cell ends when nothing is left to wait for.
"use strict";

const fs = require("node:fs");
const path = require("node:path");
const vm = require("node:vm");
const { createRequire } = require("node:module");

const REQUESTS = 3;
const REPLIES = 4;
const LENGTH_BYTES = 4;
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

let number = 0;
let failure = null;
let isRunning = false;

process.exit = (code) => {
  throw new Exit(code);
};
process.on("uncaughtException", fail);
process.on("beforeExit", () => {
  if (isRunning) {
    isRunning = false;
    send({ exit_code: failure === null ? 0 : failure.code, message: failure === null ? null : failure.message });
    setImmediate(next);
  }
});
setImmediate(next);

function next() {
  const request = receive();
  if (request === null) process.reallyExit(0);
  giveInput(request.stdin);
  number += 1;
  failure = null;
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
