/// JSON with its fields in the order in which they are given, which `JSONEncoder` does not keep.
indirect enum JSONText {
    case text(String)
    case flag(Bool)
    case texts([String])
    /// Fields that are nil are left out.
    case object([(name: String, value: JSONText?)])

    var written: String {
        switch self {
        case .text(let text):
            return quoted(text)
        case .flag(let flag):
            return flag ? "true" : "false"
        case .texts(let texts):
            return "[" + texts.map(quoted).joined(separator: ",") + "]"
        case .object(let fields):
            let written = fields.compactMap { field in field.value.map { quoted(field.name) + ":" + $0.written } }
            return "{" + written.joined(separator: ",") + "}"
        }
    }
}

private func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\"": quoted += "\\\""
        case "\\": quoted += "\\\\"
        case "\u{08}": quoted += "\\b"
        case "\u{0C}": quoted += "\\f"
        case "\n": quoted += "\\n"
        case "\r": quoted += "\\r"
        case "\t": quoted += "\\t"
        case "\u{00}"..."\u{1F}":
            let digits = String(scalar.value, radix: 16)
            quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        default: quoted.unicodeScalars.append(scalar)
        }
    }
    return quoted + "\""
}
