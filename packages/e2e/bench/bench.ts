/** `npm run bench`: the rows of the table, or with the word admin-list another bench with options of its own. */
if (process.argv[2] === 'admin-list') {
  process.argv.splice(2, 1);
  await import('./lists/admin-list.ts');
} else await import('./table.ts');
