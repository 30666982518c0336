/**
 * A rule for oxlint: every expression stands where `eslint-plugin-regexp` reads it. Text is no place for one: a
 * schema's `pattern` is the `source` of an expression, and `RegExp` is given nothing that is only known later.
 */
const readableExpressions = {
  meta: { type: 'problem' },
  create: (context) => {
    const report = (node, message) => context.report({ node, message });
    const checkCall = ({ callee, arguments: [pattern] }) => {
      if (callee.type !== 'Identifier' || callee.name !== 'RegExp' || pattern === undefined) return;
      const isConstant =
        pattern.type === 'TemplateLiteral' ? pattern.expressions.length === 0 : isText(pattern);
      if (!isConstant)
        report(pattern, 'This expression is put together where nobody sees whether it is slow.');
    };
    return {
      Property: ({ key, value }) => {
        const name = key.type === 'Identifier' ? key.name : key.value;
        if (name === 'pattern' && (isText(value) || value.type === 'TemplateLiteral')) {
          report(value, 'Write the pattern as `/…/.source`, so that it is checked as an expression.');
        }
      },
      NewExpression: checkCall,
      CallExpression: checkCall,
    };
  },
};

/** Text that may be read as a pattern and not literally. */
function isText(node) {
  return node.type === 'Literal' && typeof node.value === 'string' && /[\\^$.*+?()[\]{}|]/.test(node.value);
}

// oxlint-disable-next-line import/no-default-export -- a plugin is the default export of its file
export default {
  meta: { name: 'gatehouse' },
  rules: { 'readable-expressions': readableExpressions },
};
