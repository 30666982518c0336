import { render } from 'preact';
import '../ui/base.css';
import { takeFragment } from '../ui/browser.ts';
import type { PageData } from '../ui/locale.ts';
import '../ui/tokens.css';
import { App } from './app.tsx';

// Done first, because the fragment may contain a secret.
const fragment = takeFragment(location, history);
const root = document.getElementById('page');
const data = document.getElementById('page-data')?.textContent;
// Written by our own service.
if (root && data) render(<App data={JSON.parse(data) as PageData} fragment={fragment} />, root);
