// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the proof holds source text.
import { isNode, nameOf, type Visit } from '../module.ts';
import { eachModule, type Rule } from '../rule.ts';

// A plural noun directly after a number, perhaps after one adjective. Some other words also end in "s".
const PLURAL = /^ (?:[a-z]+ )?(?!(?:was|is|has|this|its|less|ms)\b)(?:[a-z]+s|people)\b/;

// A condition beside the text that asks whether the number is 1.
const ASKS_FOR_ONE = /[=!]== 1\b|> 1\b/;

/** A plural noun is wrong after the number 1. So `plural` writes it, or the text around it asks for 1. */
export const pluralAfterNumber: Rule = {
  claim: 'a plural noun follows no formatNumber in a text, unless a condition asks for 1',
  broken: eachModule(['src/'], ({ text, visits }) =>
    visits
      .filter(({ node }) => node.type === 'TemplateLiteral')
      .flatMap((visit) => (isGuarded(visit, text) ? [] : pluralsIn(visit))),
  ),
  proof: {
    files: {
      'src/a.ts': 'const t = `${formatNumber(n)} rows read, ${formatNumber(m)} new people, ${formatNumber(k)} sent`;',
      'src/b.ts': 'const t = n === 1 ? `1 row` : `${formatNumber(n)} rows`; const u = `${plural(n, "row")} of files`;',
      'src/c.ts': 'const t = `${n > 1 ? ` in ${formatNumber(n)} files` : ``}, ${formatNumber(m)} files`;',
    },
    says: ['src/a.ts: ${…} rows', 'src/a.ts: ${…} new people', 'src/c.ts: ${…} files'],
  },
};

function pluralsIn({ node }: Visit): string[] {
  const [values, texts] = [node.expressions, node.quasis] as readonly unknown[][];
  return (values ?? []).flatMap((value, index) => {
    const isNumber = isNode(value) && value.type === 'CallExpression' && nameOf(value.callee) === 'formatNumber';
    const found = isNumber ? PLURAL.exec(rawText(texts?.[index + 1])) : null;
    return found ? [`\${…}${found[0]}`] : [];
  });
}

function rawText(quasi: unknown): string {
  const { raw } = (isNode(quasi) ? quasi.value : {}) as { readonly raw?: string };
  return raw ?? '';
}

/** True if the template is the result of a conditional whose test asks for 1. */
function isGuarded({ field, above }: Visit, text: string): boolean {
  if (above?.node.type !== 'ConditionalExpression' || field === 'test') {
    return false;
  }
  const { start, end } = above.node.test as { readonly start: number; readonly end: number };
  return ASKS_FOR_ONE.test(text.slice(start, end));
}
