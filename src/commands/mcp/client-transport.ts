import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { isJSONRPCRequest, type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import type { WireResponse } from '../../base/transport.ts';
import type { McpLink } from './link.ts';
import { messagesOf } from './messages.ts';

/**
 * Streamable HTTP for the SDK's client, by our rules: each message is one POST, sent once; no stream is kept open, no
 * redirect followed, nothing resumed. A request whose answer lacks its response is an error, never a wait.
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
        // A server may keep sessions it never ends, or refuse to end this one: neither matters any more.
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
