import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { language } from './words/language.ts'
import './styles/index.css'

document.documentElement.lang = language
const root = document.getElementById('root')
if (root === null) throw new Error('index.html has an element with the id "root".')
createRoot(root).render(<App />)
