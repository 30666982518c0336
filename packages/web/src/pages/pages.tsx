import '../ui/tokens.css';
import '../ui/base.css';
import { render } from 'preact';
import type { PageData } from '../ui/api/page-data.ts';
import { App } from './app.tsx';
import { takeFragment } from '../ui/fragment.ts';

// Done first, because the fragment may contain a secret.
const fragment = takeFragment(location, history);
const root = document.getElementById('page');
const data = document.getElementById('page-data')?.textContent;
// Written by our own service.
if (root && data) render(<App data={JSON.parse(data) as PageData} fragment={fragment} />, root);
