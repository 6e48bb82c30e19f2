// One visit of a TypeScript client: it looks around, calls, waits for the lists to change, and looks again.
// `node session.mjs '{"sdk": "v1", "http": {"url": …, "token": …}}'`; what it finds is written as lines of JSON.

const wanted = JSON.parse(process.argv[2]);

function say(what) {
  process.stdout.write(`${JSON.stringify(what)}\n`);
}

async function v1() {
  const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
  const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js');
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
  const { ToolListChangedNotificationSchema } = await import('@modelcontextprotocol/sdk/types.js');
  const client = new Client({ name: 'visitor', version: '1.0.0' });
  const changed = new Promise(resolve => {
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve());
  });
  return { client, changed, StdioClientTransport, StreamableHTTPClientTransport, version: () => '2025-11-25' };
}

async function v2() {
  const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
  let told;
  const changed = new Promise(resolve => {
    told = resolve;
  });
  const client = new Client(
    { name: 'visitor', version: '1.0.0' },
    {
      versionNegotiation: { mode: 'auto' },
      listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => told() } }
    }
  );
  const version = () => client.getNegotiatedProtocolVersion();
  return { client, changed, StdioClientTransport, StreamableHTTPClientTransport, version };
}

const { client, changed, StdioClientTransport, StreamableHTTPClientTransport, version } = await { v1, v2 }[
  wanted.sdk
]();
const transport = wanted.http
  ? new StreamableHTTPClientTransport(new URL(wanted.http.url), {
      requestInit: { headers: { Authorization: `Bearer ${wanted.http.token}` } }
    })
  : new StdioClientTransport({ ...wanted.stdio, stderr: 'ignore' });
await client.connect(transport);

const names = async () => (await client.listTools()).tools.map(tool => tool.name);
const called = async (name, args) => {
  const answer = await client.callTool({ name, arguments: args });
  return { failed: answer.isError === true, text: answer.content[0].text, structured: answer.structuredContent ?? null };
};
const { tool, failing, later, argument } = wanted;

say({
  version: version(),
  tools: await names(),
  answer: await called(tool, argument),
  error: await called(failing, {}),
  unknown: await called('nobody', {}),
  prompts: (await client.listPrompts()).prompts.map(prompt => prompt.name),
  prompt: (await client.getPrompt({ name: tool, arguments: argument })).messages[0].content.text,
  resources: (await client.listResources()).resources.map(resource => resource.uri),
  resource: (await client.readResource({ uri: `mcpgen://tools/${tool}/source` })).contents[0].text
});
await changed;
say({ tools: await names(), answer: await called(later, {}) });
await client.close();
