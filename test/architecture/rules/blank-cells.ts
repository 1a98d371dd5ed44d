import { isNode, type Module, type Node, type Visit } from '../module.ts';
import { eachModule, type Rule } from '../rule.ts';

/** The file of a platform; the files of `lib` hold the tests that these files use. */
const PLATFORM = /^src\/platforms\/[\w-]+\.ts$/;

/** `NULL` and `0000-00-00` stand for a blank too, so a cell with one of them is not filled: see `isFilledCell`. */
export const noRawBlankTests: Rule = {
  claim: 'no platform compares a cell with the empty text',
  broken: eachModule(['src/platforms/'], (module) =>
    PLATFORM.test(module.path)
      ? module.visits.filter((visit) => isBlankTest(visit, module)).map(({ node }) => textOf(node, module))
      : [],
  ),
  proof: {
    files: {
      'src/platforms/a.ts': "const isOut = (cells[1] ?? '').trim() !== ''; if (cell === '') { f(); }",
      'src/platforms/b.ts': "const isIn = !cells[1]?.trim(); const size = cell.trim().length === 0; '' !== cell;",
      'src/platforms/c.ts': "const isOut = isFilledCell(cells[1] ?? ''); const tags = all.filter((tag) => tag !== '');",
      'src/platforms/lib/d.ts': "const isBlank = cell.trim() === '';",
    },
    says: [
      "src/platforms/a.ts: (cells[1] ?? '').trim() !== ''",
      "src/platforms/a.ts: cell === ''",
      'src/platforms/b.ts: !cells[1]?.trim()',
      'src/platforms/b.ts: cell.trim().length === 0',
      "src/platforms/b.ts: '' !== cell",
    ],
  },
};

// True for a comparison of a cell with the empty text, or its negation.
function isBlankTest({ node }: Visit, module: Module): boolean {
  if (node.type === 'UnaryExpression') {
    return node.operator === '!' && /\.trim\(\)$/.test(textOf(node, module));
  }
  const sides = [node.left, node.right].filter(isNode).map((side) => textOf(side, module));
  const isEquality = node.type === 'BinaryExpression' && /^[!=]==?$/.test(String(node.operator));
  const holdsCell = sides.some((side) => /\bcells?\b|\.trim\(\)/.test(side));
  return isEquality && holdsCell && sides.some((side) => side === "''" || side.endsWith('.length'));
}

function textOf(node: Node, { text }: Module): string {
  return text.slice(Number(node.start), Number(node.end));
}
