import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import './styles/index.css'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has an element with the id "root".')
createRoot(root).render(<App />)
