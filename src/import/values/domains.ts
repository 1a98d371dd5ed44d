import { personKey } from '../../wire/person-key.ts';

// Matches a domain alone (`www.example.org`), or after symbols that mean all people or subdomains: `%@example.org`,
// `.*@example.org`, `*.example.org`.
const WHOLE_DOMAIN =
  /^(?:https?:\/\/)?(?:www\.|(?:[*%]|\.\*)?@?(?:[*%]\.)?)((?:[\p{L}\p{N}-]+\.)+\p{L}[\p{L}\p{N}-]+)\/?$/u;

/**
 * The domain of a cell that names a whole domain: `example.org` for `*@example.org`. Spelled as in `personKey`.
 * Undefined for any other cell.
 */
export function wholeDomain(cell: string): string | undefined {
  const domain = WHOLE_DOMAIN.exec(cell.trim().toLowerCase())?.[1];
  return domain && domainOf(`x@${domain}`);
}

/** The longest of these domains to which an address belongs: `example.org` also for `ana@mail.example.org`. */
export function findDomainOf(domains: { has(domain: string): boolean }, email: string): string | undefined {
  const domain = domainOf(email);
  for (let position = 0; position >= 0 && position < domain.length; ) {
    const part = domain.slice(position);
    if (domains.has(part)) {
      return part;
    }
    const dot = domain.indexOf('.', position);
    position = dot < 0 ? dot : dot + 1;
  }
  return undefined;
}

function domainOf(email: string): string {
  const key = personKey(email);
  return key.slice(key.lastIndexOf('@') + 1);
}
