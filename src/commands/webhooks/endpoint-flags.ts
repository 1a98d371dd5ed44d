import { invalidUrlError, isLoopback } from '../../api/http/base-url.ts';
import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { terminalSafe } from '../../base/lib/text.ts';
import { LIMITS } from '../../wire/limits.ts';
import { isPublicHost } from '../../wire/public-hosts.ts';
import { EVENT_TYPES } from '../../wire/service-words.ts';

/**
 * Throws for a URL that the service would refuse (service document, "Delivery rules" 6). Such a URL lacks https, or has
 * credentials, a private address, or a port other than 443 and 8443. svc does not look up host names, because only the
 * service's own look-up counts. If `isServiceLocal`, the service runs on this machine and may deliver to it.
 */
export function checkEndpointUrl(text: string, isServiceLocal: boolean): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || /[\s\0-\x1f\x7f]/.test(text)) {
    throw endpointError(`not a valid webhook URL: ${terminalSafe(text)}`);
  }
  if (isServiceLocal && isLoopback(url.hostname)) {
    return text;
  }
  if (url.protocol !== 'https:') {
    throw endpointError('a webhook endpoint needs https', `Use https://${url.host}${url.pathname}`);
  }
  if (!LIMITS.webhookPorts.some((port) => String(port) === (url.port || '443'))) {
    throw endpointError(`a webhook endpoint needs port ${LIMITS.webhookPorts.join(' or ')}, not ${url.port}`);
  }
  if (url.username || url.password) {
    throw endpointError(
      'a webhook URL cannot hold credentials',
      'Receivers recognize the service by its signature: svc webhooks verify',
    );
  }
  if (!isPublicHost(url.hostname)) {
    throw endpointError(`a webhook endpoint needs a public host, and ${terminalSafe(url.hostname)} is not public`);
  }
  return text;
}

function endpointError(
  message: string,
  hint = 'Use public https on port 443 or 8443. The service refuses loopback and private addresses.',
): SvcError {
  return invalidUrlError(`--url: ${message}`, hint);
}

/** Returns the event types of a flag, each once. Throws for an unknown type. */
export function checkEventTypes(flag: string, types: readonly string[]): string[] {
  const unknown = types.find((type) => !EVENT_TYPES.some((known) => known === type));
  if (unknown !== undefined) {
    throw new SvcError(EXIT.usage, 'unknown_event_type', `${flag}: not an event type: ${terminalSafe(unknown)}`, {
      hint: `Event types: ${EVENT_TYPES.join(', ')}`,
    });
  }
  return [...new Set(types)];
}
