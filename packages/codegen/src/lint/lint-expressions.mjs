/**
 * A rule for oxlint: every regular expression is written where `eslint-plugin-regexp` can check it. So a schema's
 * `pattern` is the `source` of an expression, not a string, and `RegExp` is not called with values that are only known
 * at runtime.
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

/** Whether the string has a special meaning as a pattern. */
function isText(node) {
  return node.type === 'Literal' && typeof node.value === 'string' && /[\\^$.*+?()[\]{}|]/.test(node.value);
}

// oxlint-disable-next-line import/no-default-export -- a plugin is the default export of its file
export default {
  meta: { name: 'gatehouse' },
  rules: { 'readable-expressions': readableExpressions },
};
