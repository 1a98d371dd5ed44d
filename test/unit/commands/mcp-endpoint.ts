import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** One request to a simulated endpoint. */
export interface SeenPost {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  // biome-ignore lint/suspicious/noExplicitAny: tests look into messages of every shape
  readonly message: any;
}

/** A function for each JSON-RPC method, which returns the result. `undefined`: it wrote the response itself. */
export type Script = Readonly<Record<string, (seen: SeenPost, response: ServerResponse) => object | undefined>>;

/** A simulated MCP endpoint on loopback, written without the SDK. */
export async function startEndpoint(script: Script): Promise<{ url: string; seen: SeenPost[] }> {
  const seen: SeenPost[] = [];
  const server = createServer(async (request, response) => {
    const post = await read(request);
    seen.push(post);
    answer({ ...BASICS, ...script }, post, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/some/mcp`, seen };
}

const BASICS: Script = {
  initialize: () => ({
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'played', version: '1' },
  }),
  'tools/list': () => ({ tools: [{ name: 'look', inputSchema: { type: 'object' } }] }),
  'tools/call': () => ({ content: [{ type: 'text', text: 'seen' }] }),
};

function answer(script: Script, post: SeenPost, response: ServerResponse): void {
  const play = script[post.message?.method ?? post.method];
  if (play === undefined) {
    response.writeHead(202).end();
    return;
  }
  const result = play(post, response);
  if (result !== undefined) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id: post.message.id, result }));
  }
}

async function read(request: IncomingMessage): Promise<SeenPost> {
  const parts: Buffer[] = [];
  for await (const part of request) {
    parts.push(part);
  }
  const text = Buffer.concat(parts).toString();
  const { method = '', url = '', headers } = request;
  return { method, url, headers, message: text === '' ? undefined : JSON.parse(text) };
}
