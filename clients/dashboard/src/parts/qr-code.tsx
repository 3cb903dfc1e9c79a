import type { CodeGeneratorAnswer } from '../../../../src/dashboard/contract.ts'

/** Black on white in both colour schemes, since some cameras read nothing else. */
export function QrCode({ code: { size, path }, label }: { code: CodeGeneratorAnswer['qr_code']; label: string }) {
  return (
    <svg className="qr-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <rect width={size} height={size} fill="white" />
      <path d={path} fill="black" />
    </svg>
  )
}
