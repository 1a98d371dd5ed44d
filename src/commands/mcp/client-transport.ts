import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { isJSONRPCRequest, type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import { createParser } from 'eventsource-parser';
import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import { parseJson } from '../../base/lib/json.ts';
import type { WireResponse } from '../../base/transport.ts';
import type { McpLink } from './link.ts';

/**
 * Streamable HTTP for the SDK's client. Each message is one POST, sent once. No stream is kept open, no redirect is
 * followed and nothing is resumed. An answer without the response to its request is an error.
 */
export function createClientTransport(link: McpLink): Transport {
  let session: string | undefined;
  let protocol: string | undefined;
  const headers = () => ({
    accept: 'application/json, text/event-stream',
    ...(session === undefined ? {} : { 'mcp-session-id': session }),
    ...(protocol === undefined ? {} : { 'mcp-protocol-version': protocol }),
  });
  const transport: Transport = {
    start: async () => undefined,
    async send(message) {
      const body = Buffer.from(JSON.stringify(message));
      const sent = { ...headers(), 'content-type': 'application/json' };
      const response = await link.send({ method: 'POST', headers: sent, body });
      session = response.headers['mcp-session-id'] ?? session;
      for (const answer of read(response, message)) {
        transport.onmessage?.(answer);
      }
    },
    async close() {
      if (session !== undefined) {
        // The command is done, so it does not matter whether the server ends the session.
        await link.send({ method: 'DELETE', headers: headers() }).catch(() => undefined);
      }
      transport.onclose?.();
    },
    setProtocolVersion: (version) => {
      protocol = version;
    },
  };
  return transport;
}

function read(response: WireResponse, message: JSONRPCMessage): JSONRPCMessage[] {
  if (!isJSONRPCRequest(message)) {
    return [];
  }
  const answers = messagesOf(response).flatMap((value) => JSONRPCMessageSchema.safeParse(value).data ?? []);
  if (!answers.some((answer) => 'id' in answer && answer.id === message.id && !('method' in answer))) {
    throw new SvcError(EXIT.failed, 'unexpected_answer', 'the answer is not one of an MCP endpoint', {
      hint: 'Check the MCP URL.',
    });
  }
  return answers;
}

/** The JSON values in an answer: one value, a batch or the events of a stream. Empty if it cannot be read. */
function messagesOf({ headers, body }: WireResponse): unknown[] {
  const type = headers['content-type'] ?? '';
  // TextDecoder drops a byte order mark, which is no part of the text.
  const text = new TextDecoder().decode(body);
  if (/^text\/event-stream\b/i.test(type)) {
    return eventsOf(text).flatMap(parse);
  }
  return /^application\/json\b/i.test(type) ? parse(text) : [];
}

/** The data of each event that is whole; other fields don't matter here. */
function eventsOf(text: string): string[] {
  const events: string[] = [];
  // The parser waits at a last CR for the LF that may belong to it.
  createParser({ onEvent: ({ data }) => events.push(data) }).feed(text.endsWith('\r') ? `${text}\n` : text);
  return events;
}

function parse(text: string): unknown[] {
  const value = parseJson(text);
  return value === undefined ? [] : [value].flat();
}
