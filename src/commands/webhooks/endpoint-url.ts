import { isLoopback } from '../../api/http/base-url.ts';
import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import { safe } from '../../base/lib/text.ts';
import { LIMITS } from '../../wire/limits.ts';
import { isPublicHost } from '../../wire/public-hosts.ts';

/**
 * Refuses URLs that the service is known to refuse: not https, another port than 443 and 8443, credentials, and hosts
 * that are not public by their very text (service document, "Delivery rules" 6). What a name resolves to is the
 * service's to judge. `serviceIsLocal`: a service on this machine may be allowed to deliver to this machine.
 */
export function checkEndpointUrl(text: string, serviceIsLocal: boolean): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || /[\s\0-\x1f\x7f]/.test(text)) {
    throw refuse(`not a URL that webhooks can be sent to: ${safe(text)}`);
  }
  if (serviceIsLocal && isLoopback(url.hostname)) {
    return text;
  }
  if (url.protocol !== 'https:') {
    throw refuse('a webhook endpoint is https', `Use https://${url.host}${url.pathname}`);
  }
  if (!LIMITS.webhookPorts.some((port) => String(port) === (url.port || '443'))) {
    throw refuse(`a webhook endpoint listens on port ${LIMITS.webhookPorts.join(' or ')}, not ${url.port}`);
  }
  if (url.username || url.password) {
    throw refuse(
      'a webhook URL holds no credentials',
      'Receivers know the service by its signature: svc webhooks verify',
    );
  }
  if (!isPublicHost(url.hostname)) {
    throw refuse(`a webhook endpoint is public, and ${safe(url.hostname)} is not`);
  }
  return text;
}

function refuse(message: string, hint?: string): SvcError {
  return new SvcError(EXIT.usage, 'invalid_url', message, {
    hint: hint ?? 'Public https on port 443 or 8443; loopback and private addresses are refused by the service.',
  });
}
