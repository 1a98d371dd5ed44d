import { BlockList, isIP } from 'node:net';

/** Whether an IP address is one that webhooks must not reach: loopback, private, link-local (cloud metadata), not routed. */
export function createPrivateRanges(): (address: string) => boolean {
  const blocked = new BlockList();
  for (const [network, prefix] of IPV4) {
    blocked.addSubnet(network, prefix, 'ipv4');
  }
  for (const [network, prefix] of IPV6) {
    blocked.addSubnet(network, prefix, 'ipv6');
  }
  return (address) => blocked.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

const IPV4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const;

// 64:ff9b::/96 and 2002::/16 carry IPv4 addresses, private ones too.
const IPV6 = [
  ['::', 127],
  ['64:ff9b::', 96],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const;
