import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * True if webhooks may go to the host of a URL. Checks only the text, so the name may still lead to a private address
 * (service document, "Delivery rules" 6).
 */
export function isPublicHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$|\.$/g, '');
  return isIP(host) > 0 ? isPublicAddress(host) : host.includes('.') && !LOCAL_NAME.test(host);
}

/**
 * True if webhooks may go to an IP address. False for loopback, private and reserved ranges, and for the metadata
 * service of a cloud.
 */
export function isPublicAddress(text: string): boolean {
  const address = ipaddr.process(text);
  const isRouted = address instanceof ipaddr.IPv4 || address.match(ROUTED_IPV6);
  return isRouted && address.range() === 'unicast' && address.toString() !== METADATA;
}

// Matches names that only a local network knows.
const LOCAL_NAME = /(?:^|\.)(?:localhost|local|internal|home\.arpa)$/i;
// The range of public IPv6 addresses. Any other address is not assigned, or contains an IPv4 address.
const ROUTED_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');
// The address of Azure's metadata service. It is listed because it is in a public range; other clouds use private
// ranges.
const METADATA = '168.63.129.16';
