import { LIMITS } from '../../wire/limits.ts';
import { isPublicHost } from '../../wire/public-hosts.ts';
import { invalid } from '../http/envelope.ts';

/**
 * The URL of an endpoint, if the service may send there: public https on port 443 or 8443 (document, "Delivery rules"
 * 6). Throws 400 `invalid_request`. Names are looked up and checked at the socket; here only the text of the URL is
 * checked.
 */
export function checkWebhookUrl(value: unknown, allowLoopback: boolean): string {
  const url = typeof value === 'string' ? parse(value) : undefined;
  if (typeof value !== 'string' || url === undefined) {
    throw invalid('url must be an https URL.', 'url');
  }
  if (!(allowLoopback && isLoopback(url))) {
    assertPublic(url);
  }
  return value;
}

/** True if the text of a URL names this machine. */
export function isLoopback(url: URL): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
}

function parse(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) ? url : undefined;
}

function assertPublic(url: URL): void {
  if (url.protocol !== 'https:') {
    throw invalid('url must be https.', 'url');
  }
  if (!LIMITS.webhookPorts.some((port) => String(port) === (url.port || '443'))) {
    throw invalid(`url must use port ${LIMITS.webhookPorts.join(' or ')}.`, 'url');
  }
  if (!isPublicHost(url.hostname)) {
    throw invalid('url must be a public address.', 'url');
  }
}
