package holdfast.android

import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestFactory

class ReturnUrlTest {
    private fun invoiceWith(returnUrl: String?) =
        Invoice("iv_fixture", "Order 1", "29.00", "EUR", "pending", returnUrl, "android", null)

    @TestFactory
    fun `an invoice leads back to the app`(): List<DynamicTest> =
        rowsOf("return_urls").map { row ->
            dynamicTest("return_url ${row.textOrNull("return_url")}") {
                val problem = returnUrlProblem(invoiceWith(row.textOrNull("return_url")), applicationId = null)
                assertEquals(row.flag("android"), problem == null, problem)
            }
        }

    @Test
    fun `an invoice of another app is refused with both names`() {
        val invoice = invoiceWith("com.example.other://checkout/return")
        assertEquals(
            "The return_url of iv_fixture, com.example.other://checkout/return, opens another app than " +
                "com.example.shop. Have the server create the invoice with a return_url of the form com.example.shop://<service>/return.",
            returnUrlProblem(invoice, "com.example.shop"),
        )
        assertNull(returnUrlProblem(invoice, "com.example.other"))
    }

    @TestFactory
    fun `an address that opens the app ends a session, or does not`(): List<DynamicTest> =
        rowsOf("returns").map { row ->
            dynamicTest(row.text("opened")) {
                val redirect = ThreeDSRedirect("https://bank.example", null, row.text("return_url"), "iv_fixture")
                assertEquals(row.flag("is_ours"), redirect.isEndedBy(row.text("opened")))
                if (row.flag("is_ours")) assertEquals(row.text("token"), redirect.tokenFrom(row.text("opened")))
                else assertThrows(IllegalArgumentException::class.java) { redirect.tokenFrom(row.text("opened")) }
            }
        }
}
