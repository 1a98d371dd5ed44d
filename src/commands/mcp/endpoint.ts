import { checkApiKey } from '../../api/api-key.ts';
import { isLoopback } from '../../api/http/base-url.ts';
import type { Context } from '../../base/context.ts';
import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import { safe } from '../../base/lib/text.ts';
import { readApiKey } from '../framework/settings/api-key.ts';
import type { Settings } from '../framework/settings/settings.ts';

/** The URL of the MCP endpoint, and its key. */
export interface Endpoint {
  readonly url: URL;
  readonly apiKey: string;
  close(): Promise<void>;
}

/** Finds the endpoint in the settings, or starts the embedded emulator. Sends nothing. */
export async function openEndpoint(settings: Settings, context: Context): Promise<Endpoint> {
  if (settings.emulator) {
    const { openEmbedded } = await import('../emulator/embedded.ts');
    const { emulator, listening, close } = await openEmbedded(settings, context);
    return { url: new URL(listening.mcpUrl), apiKey: emulator.apiKey, close };
  }
  const text = settings.mcpUrl.value;
  if (text === undefined) {
    throw new SvcError(EXIT.usage, 'no_mcp_url', 'no MCP URL is set', {
      hint: 'Give --mcp-url https://…, or set SVC_MCP_URL. To rehearse without an account: --emulator',
    });
  }
  const url = parseMcpUrl(text);
  const apiKey = checkApiKey(await readApiKey(settings.key, url, context));
  return { url, apiKey, close: () => Promise.resolve() };
}

/** Accepts https, and http to loopback, without credentials and fragment. */
function parseMcpUrl(text: string): URL {
  const url = URL.parse(text.trim());
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    throw bad(`not an MCP URL: ${safe(text)}`, 'give it as https://host/path');
  }
  if (url.username || url.password || url.hash) {
    throw bad('an MCP URL holds no credentials and no fragment', `use ${url.origin}${url.pathname}${url.search}`);
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw bad(`plain http is for loopback only: ${safe(text)}`, `use https://${url.host}${url.pathname}`);
  }
  return url;
}

function bad(message: string, hint: string): SvcError {
  return new SvcError(EXIT.usage, 'invalid_url', message, { hint });
}
