// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the proof holds source text.
import { type Node, nameOf } from '../module.ts';
import { eachModule, type Rule } from '../rule.ts';

/** Without quotes, the shell of the user would run a file name or a header such as `$(rm -rf ~)`. */
export const quotedForShell: Rule = {
  claim: 'a command to paste holds texts from outside only as words of the shell',
  broken: eachModule(['src/'], (module) =>
    module.visits.flatMap(({ node }) => (node.type === 'TemplateLiteral' ? unquotedIn(node) : [])),
  ),
  proof: {
    files: {
      'src/a.ts': 'const hint = `First: iconv -f X -t UTF-8 ${JSON.stringify(path)} > new.csv`;',
      'src/b.ts': 'const hint = `To compare: svc contacts check ${safe(path)}`; const flag = `--audience ${safe(id)}`;',
      'src/c.ts':
        'const hint = `svc contacts check ${shellWord(path)}`; const message = `--mapping ${safe(path)}: not found`;',
    },
    says: ['src/a.ts: JSON.stringify', 'src/b.ts: safe', 'src/b.ts: safe'],
  },
};

// The end of a text after which the next value becomes a word of a command.
const IN_COMMAND =
  /(?:^|[:\n]\s*)(?:svc (?:migrate|contacts|suppressions|automations|audiences|webhooks|emails|runs|auth|doctor|emulator|mcp|completion)|iconv|chmod|find|ls|mv|cp|rm) [^.;]*$/;
// A flag stands before the value, and an end or another word after it. `--mapping x.json: why` is a message.
const AFTER_FLAG = /(?:^|\s)--[a-z-]+[ =]["']?$/;
const ENDS_WORD = /^["']?(?:$|\s+(?:--|#|\n))/;

function unquotedIn(node: Node): string[] {
  const quasis = node.quasis as readonly { readonly value: { readonly cooked: string } }[];
  const texts = quasis.map(({ value }) => value.cooked);
  return (node.expressions as readonly Node[]).flatMap((value, at) => {
    const before = texts.slice(0, at + 1).join('x');
    const isFlag = AFTER_FLAG.test(before) && ENDS_WORD.test(texts[at + 1] ?? '');
    return isFlag || IN_COMMAND.test(before) ? shownAsText(value) : [];
  });
}

function shownAsText({ type, callee }: Node): string[] {
  if (type !== 'CallExpression') {
    return [];
  }
  const called = callee as Node;
  const name =
    called.type === 'MemberExpression' ? `${nameOf(called.object)}.${nameOf(called.property)}` : nameOf(called);
  return ['safe', 'JSON.stringify'].includes(name) ? [name] : [];
}
