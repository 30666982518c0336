/**
 * A rule for oxlint: a list does not grow by copies. `[...list, item]`, `list.concat(item)` and `[list, item].flat()` copy
 * the whole list, so a loop that adds items in this way takes quadratic time, and one request could stall a service.
 * Lists grow by `push`, and sets and maps by themselves.
 */
const noGrowingCopies = {
  meta: { type: 'problem' },
  create: (context) => {
    const check = (node) => {
      if (isRepeated(node)) {
        context.report({
          node,
          message: 'This copies a list in each turn of a loop. Let it grow by `push`.',
        });
      }
    };
    return {
      ArrayExpression: (node) => {
        const isGrown = node.elements.length > 1 && node.elements[0]?.type === 'SpreadElement';
        if (isGrown) check(node);
      },
      CallExpression: (node) => {
        const { type, property, object } = node.callee;
        if (type !== 'MemberExpression' || object.name === 'Buffer') return;
        if (property.name === 'concat' || property.name === 'flat') check(node);
      },
    };
  },
};

/** Whether a loop, or the callback of `reduce`, evaluates this for each item. */
function isRepeated(node) {
  for (let inner = node, outer = node.parent; outer; inner = outer, outer = outer.parent) {
    if (LOOPS.has(outer.type) && inner !== outer.right && inner !== outer.init) return true;
    if (outer.type === 'CallExpression' && inner === outer.arguments[0] && isReduce(outer.callee))
      return true;
  }
  return false;
}

const LOOPS = new Set([
  'ForStatement',
  'ForOfStatement',
  'ForInStatement',
  'WhileStatement',
  'DoWhileStatement',
]);

function isReduce({ type, property }) {
  return type === 'MemberExpression' && /^reduce(?:Right)?$/.test(property.name ?? '');
}

// oxlint-disable-next-line import/no-default-export -- a plugin is the default export of its file
export default {
  meta: { name: 'gatehouse-copies' },
  rules: { 'no-growing-copies': noGrowingCopies },
};
