/**
 * `npm run bench`: measures the rows of the table. With the argument admin-list it runs another benchmark, which has
 * its own options.
 */
if (process.argv[2] === 'admin-list') {
  process.argv.splice(2, 1);
  await import('./lists/admin-list.ts');
} else await import('./table.ts');
